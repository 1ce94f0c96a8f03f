"""A forgotten password, and another one."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from weft.service.access import everybody, signed_in
from weft.service.accounts.asked import letter, wait_s
from weft.service.accounts.forms import ChangedPassword, MailAddress, PasswordOfLink
from weft.service.accounts.guesses import guess
from weft.service.accounts.models import Person
from weft.service.accounts.rate import wait
from weft.service.tasks.mails import mail

#: What a link is made of.
_OF_TOKEN = {each: Max(each) for each in ("pk", "password", "last_login")}
_NO_ACCOUNT = "No account with it can be entered."


@everybody
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link to another password.

    Neither the answer nor its time depends on whether the address has an account.
    """
    form = MailAddress(request.POST or None)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        pause_s = wait_s(request, email)
        if pause_s > 0:
            return wait(request, pause_s)
        # One row, also of nobody: the same work.
        known = Person.objects.filter(email=email, is_active=True).aggregate(**_OF_TOKEN)
        link = _link(Person(email=email, **known))
        wish = "a new password for the account"
        body = letter(request, wish, link if known["pk"] else "", _NO_ACCOUNT)
        mail("weft: your password", body, email)
        said = "We have sent you a mail. Open the link in it to choose another password."
        return render(request, "pages/said.html", {"said": said})
    return render(request, "pages/forgotten.html", {"form": form})


def _link(person: Person) -> str:
    """It holds for a day, until the next log-in, and for one password."""
    number = urlsafe_base64_encode(force_bytes(person.pk))
    parts = [number, default_token_generator.make_token(person)]
    return str(settings.ORIGIN + reverse("reset", args=parts))


class Reset(PasswordResetConfirmView):
    """The link of the mail: its owner chooses another password, once."""

    form_class = PasswordOfLink
    template_name = "pages/new_password.html"
    success_url = reverse_lazy("log-in")

    def get_user(self, uidb64: str) -> Person | None:
        """Whose link it is; nobody's if the account has been closed since."""
        person: Person | None = super().get_user(uidb64)
        return person if person is not None and person.is_active else None

    def render_to_response(self, context: dict[str, object], **more: object) -> HttpResponse:
        """The form, or that there is none for this link."""
        if not self.validlink:
            said = "This link is not valid, or no longer. Ask for another one."
            return render(self.request, "pages/said.html", {"said": said}, status=404)
        shown = {**context, "address": self.user.email}
        answer: HttpResponse = super().render_to_response(shown, **more)
        return answer

    def form_valid(self, form: PasswordOfLink) -> HttpResponse:
        """Whoever has the mail is the owner: what was tried before does not count."""
        guess(self.request, self.user.email).was_right()
        messages.success(self.request, "Your password is changed. Log in.")
        answer: HttpResponse = super().form_valid(form)
        return answer


class PasswordChange(PasswordChangeView):
    """Another password, for whoever knows the present one; other sessions end."""

    form_class = ChangedPassword
    template_name = "pages/change_password.html"
    success_url = reverse_lazy("account")

    def post(self, request: HttpRequest, *args: object, **more: object) -> HttpResponse:
        """Check the limits before the password."""
        self._tried = guess(request, request.user.email)
        pause_s = self._tried.wait_s()
        if pause_s > 0:
            return wait(request, pause_s)
        answer: HttpResponse = super().post(request, *args, **more)
        return answer

    def form_valid(self, form: ChangedPassword) -> HttpResponse:
        """Change it."""
        self._tried.was_right()
        messages.success(self.request, "Your password is changed.")
        answer: HttpResponse = super().form_valid(form)
        return answer


reset = everybody(Reset.as_view())
change = signed_in(PasswordChange.as_view())
