"""The tables of the chat: conversations, the chained evidence and what can be erased beside it."""

from chat.models.calibration import Calibration
from chat.models.conversation import Conversation, Message
from chat.models.evidence import EvidenceHead, EvidenceQuestion, EvidenceRecord

__all__ = ["Calibration", "Conversation", "EvidenceHead", "EvidenceQuestion", "EvidenceRecord", "Message"]
