"""Fields for choosing among thousands: one types a name, is helped by suggestions, and what was typed is checked."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, cast

from django import forms
from django.contrib.auth import get_user_model
from django.db import models
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy

SUGGEST = forms.Script("kbportal/admin-suggest.js", type="module")


class NamedField(forms.ModelChoiceField):
    """A row by its name in a text box, however many rows there are."""

    def __init__(self, queryset: models.QuerySet[Any], *, to: str, suggest: Any, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"data-suggest": suggest, "autocapitalize": "none", "spellcheck": "false"})
        super().__init__(queryset, to_field_name=to, widget=widget, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """A form of a model gives the id that the row holds."""
        if isinstance(value, int):
            value = self.queryset.model._default_manager.filter(pk=value).first() if self.queryset is not None else None
        return super().prepare_value(value)

    def clean(self, value: Any) -> Any:
        return super().clean(value.strip() if isinstance(value, str) else value)


class PersonField(NamedField):
    default_error_messages = {"invalid_choice": gettext_lazy("There is no active person with this username.")}

    def __init__(self, **kwargs: Any) -> None:
        people = get_user_model()._default_manager.filter(is_active=True)
        super().__init__(people, to="username", suggest=reverse_lazy("admin:suggest_people"), **kwargs)


class DocumentField(NamedField):
    """`queryset` says which documents the person may name; hidden and missing are the same."""

    default_error_messages = {"invalid_choice": gettext_lazy("There is no such document, or you may not name it here.")}

    def __init__(self, queryset: models.QuerySet[Any], **kwargs: Any) -> None:
        super().__init__(queryset, to="code", suggest=reverse_lazy("admin:suggest_known"), **kwargs)


def offer(form: type[forms.ModelForm], names: Iterable[str], rows: models.QuerySet[Any]) -> None:
    """Let these `DocumentField`s of a form class that was made for one request take one of `rows`.

    Each is copied first: a field that the class inherits is the same object in the forms of all other people.
    """
    for name in names:
        if name in form.base_fields:
            field = cast("DocumentField", deepcopy(form.base_fields[name]))
            field.queryset = rows
            form.base_fields[name] = field
