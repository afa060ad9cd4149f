"""HTTP over a store. Without Starlette and uvicorn (the extra `serve`) only `connect` works."""
