"""The least that a server can do: Starlette says hello, under the settings of `bayesic serve`."""

import sys

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

import bayesic as by
from bayesic.serve.running import ListeningServer, config_of, listening
from bayesic.serve.server import Server


async def hello(request: Request) -> JSONResponse:
    return JSONResponse({"hello": "world"})


if __name__ == "__main__":
    with by.open_store(sys.argv[1]) as store:
        config = config_of(Server(store))
        config.app = Starlette(routes=[Route("/hello", hello)])
        ListeningServer(config, lambda address: print(address, flush=True)).run(
            [listening("127.0.0.1", 0)]
        )
