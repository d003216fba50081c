# Allocates HOARD_MB megabytes of memory (environment variable, default 512), then sleeps.
import os
import time

hoard = [bytearray(1 << 20) for _ in range(int(os.environ.get("HOARD_MB", "512")))]
time.sleep(3600)
