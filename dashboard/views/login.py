"""The login page; its form refuses to go on guessing."""

from django.contrib.auth.views import LoginView

from dashboard.login_form import LoginForm

login = LoginView.as_view(template_name="login.html", authentication_form=LoginForm, redirect_authenticated_user=True)
