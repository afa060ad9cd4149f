"""What is measured: `python -m benchmarks` lists the programs, with a NAME it runs one."""
