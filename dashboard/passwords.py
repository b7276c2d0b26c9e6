"""What a password must be, told in a few words."""

from django.contrib.auth import password_validation as django


class Unlike(django.UserAttributeSimilarityValidator):
    def get_help_text(self) -> str:
        return "Not like the user's name or email address."


class Long(django.MinimumLengthValidator):
    def get_help_text(self) -> str:
        return f"At least {self.min_length} characters."


class Uncommon(django.CommonPasswordValidator):
    def get_help_text(self) -> str:
        return "Not one that many people use."
