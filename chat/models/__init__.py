"""The tables of the chat: conversations, the chained evidence, what can be erased beside it, what readers object to."""

from chat.models.calibration import Calibration
from chat.models.conversation import Attempt, Conversation, Message
from chat.models.evidence import ChainCheck, EvidenceBlock, EvidenceHead, EvidenceQuestion, EvidenceRecord
from chat.models.feedback import Feedback

__all__ = [
    "Attempt",
    "Calibration",
    "ChainCheck",
    "Conversation",
    "EvidenceBlock",
    "EvidenceHead",
    "EvidenceQuestion",
    "EvidenceRecord",
    "Feedback",
    "Message",
]
