"""Prints the delays and the costs of retries by botocore's standard mode, one JSON object per line."""
import itertools
import json
import os

os.environ["AWS_NEW_RETRIES_2026"] = "true"

from botocore.retries import quota, standard  # noqa: E402


class Detector:
    def is_throttling_error_from_context(self, context):
        return context.throttled


class Response:
    def __init__(self, stated):
        self.headers = {} if stated is None else {"x-amz-retry-after": stated}


class Context:
    def __init__(self, attempt, throttled, stated):
        self.attempt_number = attempt
        self.throttled = throttled
        self.http_response = Response(stated)
        self.request_context = {}


jitters = [0.0, 0.125, 0.3, 1.0]
hints = [None, "0", "100", "2500", "999999", "-1", "x"]
for attempt, throttled, jitter, stated in itertools.product(range(1, 12), [False, True], jitters, hints):
    context = Context(attempt, throttled, stated)
    backoff = standard.ExponentialBackoff(random=lambda: jitter, throttling_detector=Detector())
    delay = backoff.delay_amount(context)
    standard.RetryQuotaChecker(quota.RetryQuota(), Detector()).acquire_retry_quota(context)
    cost = context.request_context["retry_quota_capacity"]
    print(
        json.dumps(
            {"attempt": attempt, "throttled": throttled, "jitter": jitter, "stated": stated, "delay": delay, "cost": cost}
        )
    )
