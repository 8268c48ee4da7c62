"""A person's own conversations: all of them, a new name, and forgetting one after saying so twice."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import conversations, services
from chat.models import Conversation
from chat.views import pages

ON_A_PAGE = 50


@login_required
@never_cache
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    page = Paginator(conversations.of(pages.user_of(request)), ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "chat/conversations.html", {"page": page})


@login_required
@require_POST
def rename(request: HttpRequest, conversation: uuid.UUID) -> HttpResponse:
    user = pages.user_of(request)
    held = _own(request, conversation)
    try:
        conversations.rename(user, held.pk, request.POST.get("title", ""))
    except conversations.BadTitle as error:
        messages.error(request, error.message)
    return HttpResponseRedirect(pages.address(held))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, conversation: uuid.UUID) -> HttpResponse:
    """What goes and what stays; sent back, it goes."""
    held = _own(request, conversation)
    if request.method != "POST":
        return render(request, "chat/delete.html", {"conversation": held})
    conversations.delete(pages.user_of(request), held.pk)
    messages.success(request, _("The conversation was deleted."))
    return redirect("ask")


def _own(request: HttpRequest, conversation: uuid.UUID) -> Conversation:
    try:
        return conversations.own(pages.user_of(request), conversation)
    except services.NotFound as error:
        raise Http404 from error
