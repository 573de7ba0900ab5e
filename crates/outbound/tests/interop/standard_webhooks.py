"""Reads a JSON list of {secret, headers, body} and answers with a list of {verified, signature}:
whether the published library believes the message, and what it would have signed."""

import json
import sys
from datetime import datetime, timezone

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def answer(message):
    webhook = Webhook(message["secret"])
    headers, body = message["headers"], message["body"]
    sent = datetime.fromtimestamp(int(headers["webhook-timestamp"]), tz=timezone.utc)
    signature = webhook.sign(msg_id=headers["webhook-id"], timestamp=sent, data=body)
    try:
        webhook.verify(body, headers)
        return {"verified": True, "signature": signature}
    except WebhookVerificationError:
        return {"verified": False, "signature": signature}


json.dump([answer(message) for message in json.load(sys.stdin)], sys.stdout)
