# Fills its memory, HOARD_MB megabytes of it (512 unless the environment says otherwise), and then sleeps.
import os
import time

hoard = [bytearray(1 << 20) for _ in range(int(os.environ.get("HOARD_MB", "512")))]
time.sleep(3600)
