"""Every websocket address."""

from django.urls import path, re_path

from dashboard.consumers import BoardConsumer

websocket_urlpatterns = [
    path("ws/c/<slug:cluster>/", BoardConsumer.as_asgi()),
    re_path("", BoardConsumer.as_asgi()),  # every other address is refused as a cluster that is not there
]
