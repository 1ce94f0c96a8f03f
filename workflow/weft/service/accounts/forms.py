"""The forms of accounts."""

from __future__ import annotations

from django import forms
from django.contrib.auth.password_validation import validate_password

from weft.service.accounts.models import plain_address


class NewPassword(forms.Form):
    """The password of somebody who has a link to choose it."""

    password = forms.CharField(
        label="Password",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        max_length=200,
        help_text="At least 8 characters.",
        validators=[validate_password],
    )


class Application(forms.Form):
    """The address of somebody who wants an account."""

    email = forms.EmailField(
        label="Mail address",
        max_length=200,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text="We send a link to it. There you choose your password.",
    )

    def clean_email(self) -> str:
        """As the log-in finds it: else limits count spellings, and an account cannot be entered."""
        return plain_address(self.cleaned_data["email"])
