"""The forms of accounts."""

from __future__ import annotations

from django import forms
from django.contrib.auth.password_validation import validate_password

from weft.service.accounts.addresses import plain_address
from weft.service.accounts.models import Person


def _new_password(label: str) -> forms.CharField:
    return forms.CharField(
        label=label,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        max_length=200,
        help_text="At least 8 characters.",
        validators=[validate_password],
    )


class NewPassword(forms.Form):
    """The password of somebody who has a link to choose it."""

    password = _new_password("Password")


class _OfAccount(forms.Form):
    """A form for one account, as Django's views of passwords call it."""

    def __init__(self, user: Person, *args: object, **more: object) -> None:
        super().__init__(*args, **more)
        self.user = user


class _Changing(_OfAccount):
    """A form that changes the password of its account."""

    def save(self) -> Person:
        """The new password holds; sessions of the earlier one end."""
        self.user.set_password(self.cleaned_data["password"])
        self.user.save(update_fields=["password"])
        return self.user


class PasswordOfLink(NewPassword, _Changing):
    """The new password of an account whose owner has a link for it."""


class CurrentPassword(_OfAccount):
    """Whoever is logged in proves to be the owner of the account."""

    current = forms.CharField(
        label="Your present password",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        max_length=200,
    )

    def clean_current(self) -> str:
        """Refuse what is not the account's password."""
        text = str(self.cleaned_data["current"])
        if not self.user.check_password(text):
            raise forms.ValidationError("This is not your password.")
        return text


class ChangedPassword(CurrentPassword, _Changing):
    """Another password for the account."""

    password = _new_password("New password")


class MailAddress(forms.Form):
    """The address of somebody who asks for a link to a password."""

    email = forms.EmailField(
        label="Mail address",
        max_length=200,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text="We send a link to it. There you choose your password.",
    )

    def clean_email(self) -> str:
        """As the log-in finds it: else limits count spellings, and an account cannot be entered."""
        return plain_address(self.cleaned_data["email"])
