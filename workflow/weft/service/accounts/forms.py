"""The forms of accounts."""

from __future__ import annotations

from django import forms
from django.contrib.auth.password_validation import validate_password


class Application(forms.Form):
    """Address and password of somebody who wants an account."""

    email = forms.EmailField(
        label="Mail address",
        max_length=200,
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    password = forms.CharField(
        label="Password",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        max_length=200,
        help_text="At least 8 characters.",
        validators=[validate_password],
    )
