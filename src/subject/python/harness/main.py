"""What a worker does: it is told which function, describes it, and runs rows."""

import json

# Values of each sort that stand for others, where the function is tried.
SAMPLES = {
    "int": [0, 1, 2, 3, 5, 12, 7, 100, -1, 1999],
    "float": [0.0, 1.0, 0.5, 2.5, 12.0, 7.25, -1.0, 100.0, 0.1, 3.0],
    "bool": [False, True],
    "str": ["abc", "Hello World", "a", "", "12", "some_words here", "x-y z", "Books", "III", "aab"],
    "choice": [0, 1, 2],
}
SIZES = [3, 5, 1, 0, 4, 2]
# What a call with a large integer may spend, and how long its result may be.
LIGHT = 5_000
LARGEST_BOUND = 10**15


def size(value):
    if isinstance(value, int):
        return value.bit_length()
    return len(value) if hasattr(value, "__len__") else 1


def sample(form, turn, place):
    """A plain value of a form."""
    name = form.name
    if form.parts is not None:
        parts = [sample(inner, turn, place + i) for i, (_, inner) in enumerate(form.parts)]
        return tuple(parts) if name == "fixed" else form.make(*parts)
    if name == "bytes":
        return b"abc12"[: SIZES[turn % 6]]
    if name in LISTS:
        values = [sample(form.of, turn + i * (place + 2), i) for i in range(SIZES[turn % 6])]
        return {"tuple": tuple, "set": set, "frozenset": frozenset, "iter": iter}.get(name, list)(values)
    values = form.choices or SAMPLES[name]
    return values[(turn * (place + 1) + place) % len(values)]


def rows_of_samples(parameters, count=30):
    return [[sample(p.form, turn, place) for place, p in enumerate(parameters)] for turn in range(count)]


def call(function, parameters, row):
    places = [value for p, value in zip(parameters, row) if not p.keyword]
    return function(*places, **{p.name: value for p, value in zip(parameters, row) if p.keyword})


class Described:
    """The function with all that is known of it."""

    def __init__(self, request):
        self.module = load(request["module"], request["paths"])
        self.name = request["function"]
        self.function, self.owner = find(self.module, self.name)
        self.parameters, self.remarks = parameters(self.function, self.owner, request["with"])
        self.pieces = scope(self.function, self.owner)
        self.found, self.constants = candidates(self.pieces)
        for piece in self.pieces:
            put_ticks(piece.node)
        kept = []
        for piece in self.pieces:
            piece.counted = piece.compiled() or piece.code
            kept.append(piece)
        self.versions = Versions(kept, self.found)
        self.columns = [leaf for p in self.parameters for leaf in leaves(p.name, p.form)]
        self.is_optional = False
        self.result = None
        # Whether calls may be tried: not again if the first ones ended the process.
        self.tries = request["tries"]

    def start(self, result):
        """Decides what comes of calls; `result` is what another worker has decided."""
        self.batches = Batches(self.function, self.parameters, [], self.versions)
        self.result = result_form(self, result)
        if self.result is None:
            changed = [i for i, (_, form) in enumerate(self.columns) if form.name == "list"]
            self.batches.outputs = [(self.columns[i][1], i) for i in changed]
            self.changed = changed
        else:
            self.batches.outputs = [(self.result, None)]
            self.changed = []

    def try_samples(self):
        """What calls with samples return; those that raise are left out."""
        returned = []
        signal.signal(signal.SIGALRM, self.batches.alarm)
        for row in rows_of_samples(self.parameters):
            self.batches.refuel(200_000)
            self.batches.seen, self.batches.inside = 0, True
            self.batches.number = 0
            signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)
            try:
                returned.append(call(self.function, self.parameters, row))
            except BaseException:
                pass
            finally:
                self.batches.inside = False
                signal.setitimer(signal.ITIMER_REAL, 0)
        return returned

    def bound(self, place):
        """The greatest power of ten that an integer can be without calls that take long or give much; none if all can."""
        name, form = self.columns[place]
        if form.name != "int":
            return None
        bound = 10
        while bound < LARGEST_BOUND:
            for turn in (0, 3):
                for sign in (1, -1):
                    if not self.is_light(place, turn, sign * bound * 10):
                        self.remarks.append(
                            f"`{name}` is drawn from -{bound} to {bound}, because calls with larger ones take long or give much; "
                            "--domain says otherwise"
                        )
                        return bound
            bound *= 10
        return None

    def is_light(self, place, turn, value):
        """Whether a call with this value in a column spends and gives little."""
        batches = self.batches
        values = [sample(form, turn, i) for i, (_, form) in enumerate(self.columns)]
        values[place] = value
        batches.refuel(4 * LIGHT)
        batches.seen, batches.inside = -1, True
        signal.setitimer(signal.ITIMER_REAL, 2, 2)
        found = []
        try:
            batches.loop(self.function, iter([values]), found.append, [].append, batches.tick)
            return all(size(result) <= LIGHT for result in found)
        except (OutOfFuel, MemoryError, Stuck):
            return False
        except BaseException:
            return True
        finally:
            batches.inside = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def facts(self):
        """All that genmorph needs to know."""
        self.versions.watch()
        bounds = [self.bound(place) if self.tries else None for place in range(len(self.columns))]
        self.versions.enter(0)
        mutants = [
            {
                "number": number + 1,
                "operator": candidate.operator,
                "function": candidate.piece.name,
                "file": os.path.basename(candidate.piece.file),
                "line": candidate.line,
                "column": candidate.column,
                "change": candidate.change,
            }
            for number, candidate in ((number, self.found[number]) for number in viable(self.found))
        ]
        branches = [
            {"function": piece.name, "file": os.path.basename(piece.file), "line": line, "column": column}
            for piece, line, column in self.versions.branches
        ]
        return {
            "python": sys.version.split()[0],
            "parameters": [
                {"name": name, "type": form.wit(), "most": len(form.choices) - 1 if form.choices else None, "bound": bound}
                for (name, form), bound in zip(self.columns, bounds)
            ],
            "forms": [str(p.form) for p in self.parameters],
            "result": self.result and self.result.wit(),
            "decided": decided(self.result),
            "changed": self.changed,
            "remarks": self.remarks,
            "mutants": mutants,
            "branches": branches,
            "constants": sorted(self.constants.items()),
            "scope": [piece.name for piece in self.pieces],
            "files": self.files(),
            "call": exported(self),
        }

    def files(self):
        """The sources of all modules in the package, and of others that are not Python's own."""
        package = package_of(self.function, self.owner) or self.module.__name__.partition(".")[0]
        own = (os.path.dirname(os.__file__), *([sys.prefix] if sys.prefix != sys.base_prefix else []))
        files = set()
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if not file or not file.endswith((".py", ".so", ".pyd")):
                continue
            if name.partition(".")[0] == package or not file.startswith(own):
                files.add((name, file))
        return sorted(files)


def result_form(described, decision):
    """The form of results; none if the function returns nothing and changes lists."""
    function, names = described.function, names_of(described.function)
    if decision is not None:
        return revived(decision, described)
    hint = annotations(function).get("return", inspect.Parameter.empty)
    form = None
    if hint is not inspect.Parameter.empty and hint is not typing.Any and hint is not type(None):
        described.is_optional = type(None) in typing.get_args(hint)
        try:
            form = form_of(hint, names)
        except Refused as refused:
            form, reason = None, str(refused)
        # A named tuple is one like others: what it has in it says whether it is a list of numbers.
        is_tuple = form is not None and (form.name == "fixed" or isinstance(form.make, type) and issubclass(form.make, tuple))
        if form is not None and form.parts is not None and not is_tuple:
            raise Refused(f"`{described.name}` returns {form}: relations know nothing of objects")
        if form is not None and form.name == "iter":
            raise Refused(f"`{described.name}` returns an iterator: write a function that returns a list of it, and name that")
        if form is not None and not is_tuple:
            return form
        kinds = {inner.name for _, inner in form.parts} if form is not None else set()
        if len(kinds) == 1 and kinds <= {"int", "float", "bool"}:
            inner = form.parts[0][1]
            return Form("fixed", of=inner, parts=[(str(i), inner) for i in range(len(form.parts))])
    if not described.tries:
        raise Refused(
            f"`{described.name}` ends the process when it is called, and has no annotation of its result: annotate it"
        )
    returned = described.try_samples()
    values = [value for value in returned if value is not None]
    described.is_optional = described.is_optional or 0 < len(values) < len(returned)
    if returned and not values:
        if any(form.name == "list" for _, form in described.columns):
            return None
        raise Refused(f"`{described.name}` returns None, and takes no list that it could change: relations have nothing to speak of")
    if not values:
        raise Refused(
            f"`{described.name}` raises on all inputs that were tried, and has no annotation of its result: annotate it, "
            f"or name other types with {FLAG}"
        )
    kinds = {type(value) for value in values}
    if all(issubclass(kind, tuple) for kind in kinds) and len({len(value) for value in values}) == 1 and len(values[0]) > 0:
        inner = of_values([element for value in values for element in value])
        if inner and inner.scalar():
            return Form("fixed", of=inner, parts=[(str(i), inner) for i in range(len(values[0]))])
    if kinds <= {set, frozenset}:
        inner = of_values([element for value in values for element in value])
        if inner and inner.scalar():
            return Form("set", of=inner)
    if all(hasattr(kind, "__index__") and kind is not bool for kind in kinds):
        return Form("int")
    found = of_values(values)
    if found is None:
        found_types = " or ".join(sorted(kind.__qualname__ for kind in kinds))
        raise Refused(f"`{described.name}` returns {found_types}: relations know numbers, truths, texts, and lists of numbers or truths")
    return found


def decided(form):
    """A form of results, for other workers."""
    if form is None:
        return {"name": "none", "of": None, "size": 0}
    of = form.of and form.of.name
    return {"name": form.name, "of": of, "size": len(form.parts) if form.parts else 0}


def revived(decision, described):
    if decision["name"] == "none":
        return None
    if decision["name"] == "choice" or decision["of"] == "choice":
        return form_of(annotations(described.function)["return"], names_of(described.function))
    of = Form(decision["of"]) if decision["of"] else None
    parts = [(str(i), of) for i in range(decision["size"])] or None
    return Form(decision["name"], of=of, parts=parts)


def exported(described):
    """How a test in Python calls the function: the import, and a function around it where values have other forms."""
    module, name = described.module.__name__, described.name
    imports = {module}
    expressions, is_plain = [], described.owner is None
    place = 0
    arguments = []
    for p in described.parameters:
        text, plain = written(p.form, iter_names(p), imports)
        is_plain = is_plain and plain and not p.keyword
        arguments.append(f"{p.name}={text}" if p.keyword else text)
    result = described.result
    around = {"bytes": "list({})", "tuple": "list({})", "fixed": "list({})", "set": "sorted({})", "frozenset": "sorted({})"}
    wrap = around.get(result.name, "{}") if result else "{}"
    if result and result.name == "choice":
        wrap = "[" + ", ".join(qualified(choice, imports) for choice in result.choices) + "].index({})"
    if is_plain and wrap == "{}" and not described.is_optional:
        return None
    if described.owner is not None:
        called = f"{arguments[0]}.{name.rpartition('.')[2]}({', '.join(arguments[1:])})"
    else:
        called = f"{module}.{name}({', '.join(arguments)})"
    names = ", ".join(column for column, _ in described.columns)
    lines = [f"import {name}" for name in sorted(imports)]
    lines += ["", "", f"def function({names}):", f'    """Calls {name} with values of its types."""']
    if described.is_optional:
        lines += [f"    out = {called}", "    if out is None:", '        raise ValueError("there is no result")']
        called = "out"
    lines.append(f"    return {wrap.format(called)}")
    # Two empty lines follow, with that of the test.
    return "\n".join(lines) + "\n\n"


def iter_names(parameter):
    return (name for name, _ in leaves(parameter.name, parameter.form))


def written(form, names, imports):
    """An expression of a value, of the names of its columns."""
    if form.parts is not None:
        parts = [written(inner, names, imports)[0] for _, inner in form.parts]
        if form.name == "fixed":
            return f"({', '.join(parts)},)" if len(parts) == 1 else f"({', '.join(parts)})", False
        make = form.make if isinstance(form.make, type) else None
        if make is None:
            return f"make({', '.join(parts)})", False
        imports.add(make.__module__)
        return f"{make.__module__}.{make.__qualname__}({', '.join(parts)})", False
    name = next(names)
    if form.name == "choice":
        choices = ", ".join(qualified(choice, imports) for choice in form.choices)
        return f"[{choices}][{name}]", False
    if form.name in ("bytes", "tuple", "set", "frozenset", "iter"):
        return f"{form.name}({name})", False
    return name, True


def qualified(choice, imports):
    kind = type(choice)
    if kind.__module__ != "builtins" and hasattr(choice, "name"):
        imports.add(kind.__module__)
        return f"{kind.__module__}.{spelled(choice)}"
    return repr(choice)


def serve(channel):
    """Answers requests until the channel is closed."""
    channel.send(b"gmp1")
    described = None
    while True:
        kind, body = channel.frame()
        if kind == 1:
            request = json.loads(bytes(body))
            try:
                described = Described(request)
                described.start(request["decided"])
                facts = described.facts() if request["full"] else {}
            except Refused as refused:
                facts = {"refused": str(refused)}
            channel.send(json.dumps(facts).encode())
        else:
            described.batches.run(body, channel.send)


CHANNEL = Channel()
try:
    serve(CHANNEL)
except BaseException:
    CHANNEL.broken()
