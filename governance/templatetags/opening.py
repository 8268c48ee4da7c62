"""Links of the admin that open for whoever sees them."""

from __future__ import annotations

from html import unescape
from typing import Any

from django import template
from django.contrib.admin.helpers import AdminReadonlyField
from django.core.exceptions import FieldDoesNotExist
from django.template.context import Context
from django.utils.html import strip_tags

register = template.Library()


@register.simple_tag(takes_context=True)
def shown(context: Context, field: AdminReadonlyField) -> str:
    """The value of a field that is only shown. Django links every row that it names, also where the person may not
    look: then its name alone.
    """
    contents = field.contents()
    remote = _remote(field)
    closed = remote is not None and not remote.has_view_permission(context["request"])
    return unescape(strip_tags(contents)) if closed else contents  # the template escapes it again


def _remote(field: AdminReadonlyField) -> Any:
    """The admin of the model that the field points to."""
    admin: Any = field.model_admin
    try:
        related = admin.opts.get_field(field.field["name"]).related_model
    except (FieldDoesNotExist, TypeError):  # a method of the admin
        return None
    return admin.admin_site._registry.get(related)
