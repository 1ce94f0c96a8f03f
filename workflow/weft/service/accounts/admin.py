"""People in the admin pages."""

from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest

from weft.service.accounts.invitations import invite
from weft.service.accounts.models import Person

# Nobody here belongs to groups: an administrator is a superuser.
admin.site.unregister(Group)


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    """Accounts and their quotas."""

    list_display = ("email", "is_active", "is_staff", "guest", "most_open_tasks", "most_open_s")
    search_fields = ("email",)
    fields = ("email", "is_active", "is_staff", "is_superuser", "guest", "most_open_tasks",
              "most_open_s")  # fmt: skip
    actions = ("invite_again",)

    def save_model(self, request: HttpRequest, obj: Person, form: object, change: bool) -> None:
        """Save it; a new account is an invitation, whose mail brings the link to its password."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        if not change:
            self._invite(request, obj)

    @admin.action(description="Send the invitation again")
    def invite_again(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        """A new link for people who have lost the first one, or their password."""
        for person in people:
            self._invite(request, person)

    def _invite(self, request: HttpRequest, person: Person) -> None:
        if invite(person):
            messages.success(request, f"An invitation has gone to {person.email}.")
        else:
            messages.error(request, f"No mail server took the invitation to {person.email}.")
