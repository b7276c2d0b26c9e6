"""Every websocket address."""

from django.urls import path

from dashboard.consumers import BoardConsumer

websocket_urlpatterns = [path("ws/c/<slug:cluster>/", BoardConsumer.as_asgi())]
