"""Signs the requests on standard input, one JSON object per line, with botocore, and prints the signatures."""
import datetime
import json
import sys

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

FIXED = None


class Clock(datetime.datetime):
    @classmethod
    def utcnow(cls):
        return FIXED

    @classmethod
    def now(cls, tz=None):
        return FIXED.replace(tzinfo=tz)


def fixed(*_, **__):
    return FIXED


for name in ("get_current_datetime",):
    if hasattr(botocore.auth, name):
        setattr(botocore.auth, name, fixed)
if hasattr(botocore.auth, "datetime"):
    botocore.auth.datetime = type("m", (), {"datetime": Clock, "timedelta": datetime.timedelta})

for line in sys.stdin:
    r = json.loads(line)
    FIXED = datetime.datetime.fromtimestamp(r["time"], datetime.timezone.utc).replace(tzinfo=None)
    keys = Credentials(r["access"], r["secret"], r.get("token"))
    url = f'https://{r["host"]}{r["path"]}'
    request = AWSRequest(method=r["method"], url=url, headers={**dict(r["headers"]), "Host": r["host"]},
                         params=[tuple(p) for p in r["query"]] if not r["presign"] else None)
    if r["presign"]:
        if r["query"]:
            from urllib.parse import quote
            request.url += "?" + "&".join(f"{quote(k, safe='-_.~')}={quote(v, safe='-_.~')}" for k, v in r["query"])
        botocore.auth.S3SigV4QueryAuth(keys, "s3", r["region"], expires=r["seconds"]).add_auth(request)
        print(request.url.rsplit("X-Amz-Signature=", 1)[1].split("&")[0])
    else:
        botocore.auth.S3SigV4Auth(keys, "s3", r["region"]).add_auth(request)
        print(request.headers["Authorization"].rsplit("Signature=", 1)[1])
