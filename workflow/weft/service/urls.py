"""All addresses of the server."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from weft.service.accounts import own_views as own
from weft.service.accounts import password_views as passwords
from weft.service.accounts import views as accounts
from weft.service.pages import form_views as forms
from weft.service.pages import help_views
from weft.service.pages import views as pages

handler400 = "weft.service.pages.refusals.bad_request"
handler500 = "weft.service.pages.refusals.server_error"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", pages.tasks, name="tasks"),
    path("help", help_views.help_page, name="help"),
    path("submit/", forms.templates, name="templates"),
    path("submit/form/<str:template>", forms.form, name="form"),
    path("submit/yaml", pages.submit_yaml, name="submit-yaml"),
    path("tasks/<str:name>/", pages.task, name="task"),
    path("tasks/<str:name>/progress", pages.progress, name="progress"),
    path("tasks/<str:name>/unlock", pages.unlock, name="unlock"),
    path("tasks/<str:name>/report", pages.report, name="report"),
    path("tasks/<str:name>/archive.zip", pages.archive, name="archive"),
    path("tasks/<str:name>/parts/<path:path>", pages.part, name="part"),
    path("tasks/<str:name>/experiment.yaml", pages.experiment, name="experiment"),
    path("tasks/<str:name>/stop", pages.stop, name="stop"),
    path("tasks/<str:name>/share", pages.share, name="share"),
    path("accounts/log-in", accounts.log_in, name="log-in"),
    path("accounts/log-out", accounts.log_out, name="log-out"),
    path("accounts/apply", accounts.apply, name="apply"),
    path("accounts/confirm/<str:token>", accounts.confirm, name="confirm"),
    path("accounts/invited/<str:token>", accounts.invitation, name="invited"),
    path("accounts/forgotten", passwords.forgotten, name="forgotten"),
    path("accounts/reset/<str:uidb64>/<str:token>", passwords.reset, name="reset"),
    path("accounts/own", own.account, name="account"),
    path("accounts/own/password", passwords.change, name="change-password"),
    path("accounts/own/delete", own.delete, name="delete-account"),
    path("api/", include("weft.service.api.urls")),
    # Django's own log-in of these pages has no limit of attempts.
    path("admin/login/", accounts.log_in_to_admin),
    path("admin/", admin.site.urls),
]
