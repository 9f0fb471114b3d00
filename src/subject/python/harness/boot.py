import builtins, os

def read(count):
    parts = b""
    while len(parts) < count:
        part = os.read(0, count - len(parts))
        if not part:
            os._exit(0)
        parts += part
    return parts

exec(compile(read(int.from_bytes(read(8), "little")), "<genmorph>", "exec"), {"__builtins__": dict(vars(builtins)), "__name__": "genmorph"})
