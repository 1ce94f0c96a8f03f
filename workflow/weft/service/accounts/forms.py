"""The forms of accounts."""

from __future__ import annotations

from django import forms
from django.contrib.auth.password_validation import validate_password


class NewPassword(forms.Form):
    """The password of somebody who has been invited."""

    password = forms.CharField(
        label="Password",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        max_length=200,
        help_text="At least 8 characters.",
        validators=[validate_password],
    )


class Application(NewPassword):
    """Address and password of somebody who wants an account."""

    field_order = ("email", "password")
    email = forms.EmailField(
        label="Mail address",
        max_length=200,
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
