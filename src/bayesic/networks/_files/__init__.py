"""Networks in files: BIF, XMLBIF, UAI, Hugin NET, and JSON of our own."""
