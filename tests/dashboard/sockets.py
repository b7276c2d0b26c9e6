"""A websocket client inside the test's own event loop. (channels.testing would need daphne, which is not used.)"""

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator


class Socket(ApplicationCommunicator):
    def __init__(self, application: Any, path: str, headers: dict[str, str], client: str) -> None:
        super().__init__(
            application,
            {
                "type": "websocket",
                "path": path,
                "query_string": b"",
                "headers": [(key.encode(), value.encode()) for key, value in headers.items() if value],
                "subprotocols": [],
                "client": (client, 50_000),
            },
        )

    async def connect(self) -> bool:
        """Whether the handshake was accepted."""
        await self.send_input({"type": "websocket.connect"})
        return (await self.receive_output(5))["type"] == "websocket.accept"

    async def say(self, text: str) -> None:
        await self.send_input({"type": "websocket.receive", "text": text})

    async def text(self) -> str:
        output = await self.receive_output(5)
        assert output["type"] == "websocket.send", output
        return output["text"]

    async def hear(self) -> Any:
        return json.loads(await self.text())

    async def closed(self) -> int:
        """The code with which the server closed."""
        output = await self.receive_output(5)
        assert output["type"] == "websocket.close", output
        return output["code"]

    async def leave(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(5)
