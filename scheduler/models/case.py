"""A teaching case that somebody saved: its file as text, and what a list of cases tells of it."""

from django.conf import settings
from django.db import models


class Case(models.Model):
    """`text`: the whole file, as it is downloaded and read again; it was played before it was stored."""

    slug = models.SlugField(max_length=63, unique=True)
    title = models.CharField(max_length=100)
    question = models.TextField()
    text = models.TextField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["created", "pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return f"/learn/{self.slug}/"
