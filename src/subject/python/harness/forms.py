"""What values are in Python, and as columns of numbers, truths and texts."""

EXACT = 2**53 - 1
LARGEST = 2**63 - 1
SIMPLE = {int: "int", float: "float", bool: "bool", str: "str", bytes: "bytes"}
LISTS = ("list", "tuple", "set", "frozenset", "iter")


class Form:
    """How a value of Python is made of columns, and turned into one."""

    def __init__(self, name, of=None, choices=None, parts=None, make=None):
        self.name = name
        # The form of elements.
        self.of = of
        # The values of a `choice`.
        self.choices = choices
        # The names and forms that a `fixed` tuple or a class has.
        self.parts = parts
        # The class, or the function that makes the value.
        self.make = make

    def scalar(self):
        return {"int": "s64", "float": "f64", "bool": "bool", "choice": "s32"}.get(self.name)

    def wit(self):
        """The type that genmorph knows it by; none if it takes several columns."""
        if self.name == "str":
            return "string"
        if self.name == "bytes":
            return "list<u8>"
        if self.name in LISTS or self.name == "fixed" and self.of:
            return f"list<{self.of.scalar()}>"
        return self.scalar()

    def __str__(self):
        if self.name == "choice":
            return f"Literal[{', '.join(map(spelled, self.choices))}]"
        if self.name in LISTS:
            return f"{self.name}[{self.of}]"
        if self.name == "fixed":
            return f"tuple[{', '.join(str(form) for _, form in self.parts)}]"
        return self.make.__name__ if self.name == "class" else self.name


def spelled(value):
    """A choice as a test would write it."""
    if type(value).__module__ != "builtins" and hasattr(value, "name"):
        return f"{type(value).__name__}.{value.name}"
    return repr(value)


def listed(name, of):
    if of.scalar() is None:
        raise Refused(f"{name}[{of}]: relations know sequences of numbers, not of {of} values")
    return Form(name, of=of)


def form_of(annotation, names):
    """The form of an annotation; `names` are those that a text may use."""
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, {name: getattr(typing, name) for name in typing.__all__} | names)
        except NameError as error:
            raise Unnamed(f"`{annotation}` is no type: {error}") from None
        except Exception as error:
            raise Refused(f"`{annotation}` is no type: {error}") from None
    if isinstance(annotation, typing.ForwardRef):
        return form_of(annotation.__forward_arg__, names)
    if annotation in SIMPLE:
        return Form(SIMPLE[annotation])
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated or origin in (typing.Final, typing.ClassVar):
        return form_of(arguments[0], names)
    if origin is typing.Literal:
        return Form("choice", choices=list(arguments))
    if origin is typing.Union or origin is types.UnionType:
        return union(arguments, names)
    if isinstance(annotation, typing.TypeVar):
        if annotation.__constraints__:
            return union(annotation.__constraints__, names)
        return form_of(annotation.__bound__ or int, names)
    if hasattr(annotation, "__supertype__"):
        return form_of(annotation.__supertype__, names)
    sequence = SEQUENCES.get(origin or annotation)
    if sequence == "tuple" and arguments and arguments[-1] is not Ellipsis:
        parts = [(str(i), form_of(argument, names)) for i, argument in enumerate(arguments)]
        return Form("fixed", parts=parts)
    if sequence:
        if not arguments:
            raise Refused(f"{sequence} does not say what is in it; write for example {sequence}[int]")
        return listed(sequence, form_of(arguments[0], names))
    if annotation in ALIKE:
        return Form(ALIKE[annotation])
    if isinstance(annotation, type):
        return class_form(annotation, names)
    raise Refused(f"relations know nothing of {told(annotation)}")


def union(arguments, names):
    """The first alternative that relations know, and float where there is one."""
    if float in arguments:
        return Form("float")
    reason = None
    for argument in arguments:
        if argument is type(None):
            continue
        try:
            return form_of(argument, names)
        except Refused as refused:
            reason = reason or refused
    raise reason or Refused("relations know nothing of None")


def class_form(cls, names):
    import enum

    if issubclass(cls, enum.Enum):
        choices = list(cls)
        if not choices:
            raise Refused(f"{cls.__name__} has no members")
        return Form("choice", choices=choices)
    if issubclass(cls, tuple(SIMPLE)):
        return Form(next(name for simple, name in SIMPLE.items() if issubclass(cls, simple)))
    if hasattr(cls, "__dataclass_fields__") or issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return made_by(cls, cls, names)
    raise Refused(f"relations know nothing of {told(cls)}")


def told(annotation):
    return getattr(annotation, "__qualname__", None) or str(annotation)


def sequences():
    import collections.abc as abc

    known = {kind: "list" for kind in (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection)}
    known |= {kind: "iter" for kind in (abc.Iterator,)}
    return known | {tuple: "tuple", set: "set", abc.Set: "set", abc.MutableSet: "set", frozenset: "frozenset"}


def alike():
    import numbers

    return {
        numbers.Number: "float",
        numbers.Complex: "float",
        numbers.Real: "float",
        numbers.Rational: "int",
        numbers.Integral: "int",
        typing.SupportsInt: "int",
        typing.SupportsIndex: "int",
        typing.SupportsFloat: "float",
        typing.SupportsAbs: "float",
        typing.SupportsRound: "float",
    }


SEQUENCES = sequences()
ALIKE = alike()


def of_values(values):
    """The form of values that were seen; none if they have none in common."""
    names = {SIMPLE.get(type(value)) for value in values}
    if names == {"int", "float"}:
        names = {"float"}
    if len(names) == 1 and None not in names:
        return Form(names.pop())
    kinds = {type(value) for value in values}
    if kinds and kinds <= {list, tuple}:
        # Several numbers of a fixed count are a list of them.
        inner = of_values([element for value in values for element in value])
        if inner and inner.scalar():
            return Form("list", of=inner)
    return None


def leaves(name, form):
    """The columns of a value: name and form of each."""
    if form.parts is None:
        yield name, form
        return
    for part, inner in form.parts:
        yield from leaves(f"{name}_{part}" if name else part, inner)


def built(form, columns, objects):
    """An expression that makes a value of its columns. What it needs is added to `objects`."""
    if form.parts is None:
        return next(columns)
    parts = [built(inner, columns, objects) for _, inner in form.parts]
    if form.name == "fixed":
        return f"({' '.join(part + ',' for part in parts)})"
    made = f"make{len(objects)}"
    objects[made] = form.make
    return f"{made}({', '.join(parts)})"


class Column:
    """The values of a column, in the order of rows; lists are made anew whenever they are asked for."""

    def __init__(self, form, reader, rows):
        self.form = form
        if form.name == "str":
            lengths = reader.many("I", rows)
            text = str(reader.take(reader.u32()), "utf-8")
            self.values = [text[a:b] for a, b in pairwise(accumulate(lengths, initial=0))]
        elif form.name == "bytes" or form.name in LISTS:
            self.bounds = list(pairwise(accumulate(reader.many("I", rows), initial=0)))
            count = self.bounds[-1][1] if self.bounds else 0
            self.values = scalars(form.of or Form("int"), reader, count)
        else:
            self.values = scalars(form, reader, rows)
        self.make = {"bytes": bytes, "tuple": tuple, "set": set, "frozenset": frozenset, "iter": iter}.get(form.name)

    def rows(self, start, stop):
        name = self.form.name
        if name == "bytes" or name in LISTS:
            values, make = self.values, self.make
            if make is None:
                return [values[a:b] for a, b in self.bounds[start:stop]]
            return [make(values[a:b]) for a, b in self.bounds[start:stop]]
        return self.values[start:stop]


def scalars(form, reader, count):
    name = form.name
    if name == "float":
        return reader.many("d", count).tolist()
    if name == "bool":
        return [byte != 0 for byte in reader.take(count)]
    values = reader.many("q", count).tolist()
    return [form.choices[value] for value in values] if name == "choice" else values


class Bad(Exception):
    """A value that is not of the form of results."""


def as_int(value):
    if type(value) is not int:
        if isinstance(value, (bool, float)) or not hasattr(value, "__index__"):
            raise Bad
        value = value.__index__()
    return min(max(value, -LARGEST), LARGEST)


def as_float(value):
    if type(value) is float:
        return value
    if isinstance(value, bool):
        raise Bad
    try:
        number = float(value) if isinstance(value, (int, float)) else value.__float__()
    except Exception:
        raise Bad from None
    # An integer that is rounded on the way is no value of its type.
    if isinstance(value, int) and number != value:
        raise Bad
    return number


def as_bool(value):
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    raise Bad


def as_str(value):
    if not isinstance(value, str):
        raise Bad
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise Bad from None
    return str(value)


def normal(form, value):
    """A value of a result, as the column of its form has it."""
    name = form.name
    if name == "int":
        return as_int(value)
    if name == "float":
        return as_float(value)
    if name == "bool":
        return as_bool(value)
    if name == "str":
        return as_str(value)
    if name == "choice":
        for number, choice in enumerate(form.choices):
            if type(choice) is type(value) and choice == value:
                return number
        raise Bad
    if name == "bytes":
        if not isinstance(value, (bytes, bytearray)):
            raise Bad
        return list(value)
    if name == "fixed":
        if not isinstance(value, (tuple, list)) or len(value) != len(form.parts):
            raise Bad
        return [normal(form.of, element) for element in value]
    if not isinstance(value, (list, tuple, range, array)):
        if name in ("set", "frozenset") and isinstance(value, (set, frozenset)):
            value = sorted(value)
        else:
            raise Bad
    return [normal(form.of, element) for element in value]


CODES = {"int": "q", "float": "d", "choice": "q"}
TYPES = {"int": {int}, "float": {float}, "bool": {bool}}


def packed(form, values):
    """A column of values that are normal, as bytes; raises if one is not."""
    name = form.name
    if name == "str":
        text = "".join(values).encode("utf-8")
        return array("I", map(len, values)).tobytes() + len(text).to_bytes(4, "little") + text
    if name == "bytes" or name in LISTS or name == "fixed":
        of = form.of or Form("int")
        return array("I", map(len, values)).tobytes() + packed(of, list(chain.from_iterable(values)))
    if name == "bool":
        return bytes(values)
    return array(CODES[name], values).tobytes()


def are_plain(form, values):
    """Whether values need no look at each of them."""
    name = form.name
    if name in TYPES:
        return set(map(type, values)) <= TYPES[name]
    if name == "str":
        return set(map(type, values)) <= {str}
    if name in ("list", "tuple", "fixed"):
        if not set(map(type, values)) <= {list, tuple} or form.of.name not in TYPES:
            return False
        if name == "fixed" and set(map(len, values)) - {len(form.parts)}:
            return False
        return set(map(type, chain.from_iterable(values))) <= TYPES[form.of.name]
    return False
