"""The function: found by its name, and what it takes."""

import builtins as python
import importlib

FLAG = "--with"


class Parameter:
    """A parameter that calls give a value."""

    def __init__(self, name, form, keyword):
        self.name = name
        self.form = form
        # Whether it is passed by its name.
        self.keyword = keyword


def load(module, paths):
    """Imports the module of the function."""
    sys.path[:] = paths + [path for path in sys.path if path and path not in paths]
    sys.argv = [module]
    try:
        return importlib.import_module(module)
    except BaseException as error:
        raise Refused(failure_of_import(module, error)) from None


def failure_of_import(module, error):
    if isinstance(error, ModuleNotFoundError) and error.name and (module + ".").startswith(error.name + "."):
        near = near_modules(error.name)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        return (
            f"there is no module `{error.name}`{hint}\nit is looked for in this folder, in its src, in $PYTHONPATH, "
            f"and in what is installed for {sys.executable}"
        )
    import traceback

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_theirs(frame.filename)]
    lines = traceback.format_list(frames[-3:]) + traceback.format_exception_only(type(error), error)
    text = "".join(lines).strip()
    advice = ""
    if isinstance(error, ModuleNotFoundError):
        advice = f"\nis the environment the right one? this is {sys.executable}; --python-home names another"
    elif isinstance(error, PermissionError):
        advice = "\nmodules are imported in a sandbox, without files of yours, network and other processes; --no-sandbox imports them without one"
    return f"the module `{module}` fails when it is imported:\n{text[-2000:]}{advice}"


def is_theirs(filename):
    return not filename.startswith("<") and "importlib" not in filename


def near_modules(name):
    import difflib

    known = set(sys.builtin_module_names) | set(sys.stdlib_module_names)
    for path in sys.path:
        try:
            entries = os.listdir(path or ".")
        except OSError:
            continue
        known |= {entry.removesuffix(".py") for entry in entries if entry.removesuffix(".py").isidentifier()}
    return difflib.get_close_matches(name, known, 2)


def find(module, name):
    """The function of a name, and the class that it is a method of, if its first argument is an object of that."""
    owner, found, is_method = None, module, False
    for part in name.split("."):
        owner = found
        try:
            found = getattr(owner, part)
        except AttributeError:
            raise Refused(missing(module, owner, part)) from None
    if isinstance(owner, type):
        plain = next((vars(cls)[part] for cls in owner.__mro__ if part in vars(cls)), None)
        is_method = not isinstance(plain, (staticmethod, classmethod)) and not isinstance(found, type)
        if isinstance(plain, property) or not callable(found):
            raise Refused(f"`{name}` is an attribute, not a function")
    if not callable(found):
        raise Refused(f"`{name}` in {module.__name__} is no function, but {a(type(found).__name__)}")
    inner = inspect.unwrap(found) if isinstance(found, types.FunctionType) else found
    for kind, test in (
        ("a coroutine", inspect.iscoroutinefunction),
        ("an asynchronous generator", inspect.isasyncgenfunction),
        ("a generator", inspect.isgeneratorfunction),
    ):
        if test(inner):
            raise Refused(
                f"`{name}` is {kind}: a call gives no value. Write a function that returns "
                f"{'list' if 'generator' in kind else 'asyncio.run'}({name}(…)), and name that"
            )
    return found, owner if is_method else None


def a(word):
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def missing(module, owner, part):
    import difflib

    public = [name for name in dir(owner) if callable(getattr(owner, name, None)) and not name.startswith("__")]
    near = difflib.get_close_matches(part, public, 3, 0.5)
    where = owner.__name__ if isinstance(owner, (type, types.ModuleType)) else type(owner).__name__
    if near:
        return f"there is no function `{part}` in {where}; did you mean {' or '.join(near)}?"
    own = [name for name in public if getattr(getattr(owner, name), "__module__", None) == module.__name__]
    some = f"; it has {', '.join(own[:8])}{', …' if len(own) > 8 else ''}" if own else ""
    return f"there is no function `{part}` in {where}{some}"


def parameters(function, owner, given):
    """The parameters that calls give a value, and remarks on the others. `given` are types that the user names, in order."""
    given = dict(given)
    names = names_of(function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = None
    kinds = inspect.Parameter
    declared = list(signature.parameters.values()) if signature else []
    is_open = signature is None or all(p.kind in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD) for p in declared)
    found, remarks, untyped, is_skipped = [], [], [], False
    hints = annotations(function)
    if owner is not None:
        found.append(Parameter("self", of_self(owner, names, given), False))
        declared = declared[1:]
    if is_open:
        # Of a function in C, or of any number of arguments, types are all that is known.
        if not given:
            raise Refused(
                f"Python does not say what `{function.__name__}` takes: name the types of its arguments in order, "
                f"for example {FLAG} a=int {FLAG} b=int"
            )
        return found + [Parameter(name, form_of(text, names), False) for name, text in given.items()], remarks
    unknown = [name for name in given if name not in {p.name for p in declared}]
    if unknown and owner is None:
        known = ", ".join(p.name for p in declared) or "none"
        raise Refused(f"{FLAG} {unknown[0]}={given[unknown[0]]}: there is no parameter `{unknown[0]}`; there are {known}")
    seen = examples(function)
    for place, declaration in enumerate(declared):
        name, kind = declaration.name, declaration.kind
        if kind in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD):
            continue
        has_default = declaration.default is not kinds.empty
        try:
            form = form_of_parameter(declaration, given.get(name), hints, seen, place, names)
        except Refused as refused:
            if not has_default or name in given:
                raise Refused(f"the parameter `{name}` of `{function.__name__}`: {refused}") from None
            form = None
        if form is None and not has_default:
            untyped.append(name)
            continue
        if form is None or is_skipped and kind == kinds.POSITIONAL_ONLY:
            remarks.append(f"`{name}` keeps its default, {shortened(declaration.default)}; {FLAG} {name}=TYPE varies it")
            is_skipped = True
            continue
        found.append(Parameter(name, form, is_skipped or kind == kinds.KEYWORD_ONLY))
    if untyped:
        raise Refused(without_types(function, declared, untyped))
    if not found:
        raise Refused(f"`{function.__name__}` takes no argument that could be varied")
    return found, remarks


def names_of(function):
    inner = inspect.unwrap(function) if callable(function) else function
    module = sys.modules.get(getattr(inner, "__module__", None))
    return vars(python) | (vars(module) if module else {}) | getattr(inner, "__globals__", {})


def annotations(function):
    inner = inspect.unwrap(function)
    inner = getattr(inner, "__func__", inner)
    try:
        return typing.get_type_hints(inner)
    except Exception:
        return dict(getattr(inner, "__annotations__", None) or {})


def of_self(owner, names, given):
    if owner in SIMPLE:
        return Form(SIMPLE[owner])
    try:
        return made_by(owner, owner, names, given)
    except Refused as refused:
        raise Refused(f"an object of {owner.__name__} cannot be made: {refused}") from None


def made_by(cls, make, names, given=()):
    """The form of objects of a class, by the parameters of its constructor."""
    declared, remarks = parameters(make, None, [(n, t) for n, t in dict(given).items() if n in named_by(make)])
    if any(parameter.keyword for parameter in declared):
        keywords = [parameter.name if parameter.keyword else None for parameter in declared]
        inner = make

        def make(*values):
            places = [v for v, k in zip(values, keywords) if k is None]
            return inner(*places, **{k: v for v, k in zip(values, keywords) if k is not None})

    return Form("class", parts=[(p.name, p.form) for p in declared], make=make)


def named_by(make):
    try:
        return set(inspect.signature(make).parameters)
    except (TypeError, ValueError):
        return set()


def form_of_parameter(declaration, given, hints, seen, place, names):
    if given is not None:
        return form_of(given, names)
    annotation = hints.get(declaration.name, declaration.annotation)
    unnamed = None
    if annotation is not inspect.Parameter.empty and annotation is not typing.Any:
        try:
            return form_of(annotation, names)
        except Unnamed as refused:
            unnamed = refused
    values = seen.get(declaration.name, []) + seen.get(place, [])
    default = declaration.default
    if default is not inspect.Parameter.empty and default is not None:
        import enum

        if isinstance(default, enum.Enum):
            return form_of(type(default), names)
        values = values + [default]
    # Of examples of several types, those like the first count.
    form = of_values(values) or of_values([value for value in values if type(value) is type(values[0])])
    if form is None and unnamed is not None:
        raise Refused(f"{unnamed}, and neither a default nor an example in the docstring says another: say so with {FLAG} {declaration.name}=int")
    return form


def examples(function):
    """The arguments of calls in the docstring, by place and by name."""
    seen = {}
    inner = inspect.unwrap(function)
    for line in (getattr(inner, "__doc__", None) or "").splitlines():
        line = line.strip()
        if not line.startswith(">>> "):
            continue
        try:
            tree = ast.parse(line[4:])
        except SyntaxError:
            continue
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call):
                continue
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", None)
            if name != inner.__name__:
                continue
            for place, argument in [*enumerate(call.args), *((k.arg, k.value) for k in call.keywords)]:
                try:
                    seen.setdefault(place, []).append(ast.literal_eval(argument))
                except (ValueError, TypeError, SyntaxError, RecursionError):
                    pass
    return seen


def shortened(value):
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


# What is tried where nothing is known, and the values that stand for it.
GUESSES = {
    "str": ("Hello, World 12", "abc"),
    "int": (12, 5),
    "float": (2.5, 0.5),
    "list[int]": ([3, 1, 2], [5]),
    "list[float]": ([0.5, 2.5, 1.0], [1.5]),
    "bytes": (b"abc", b"01"),
}


# How many calls are made to find types, and how long each may take.
MOST_GUESSES = 100
GUESS = 0.2


def without_types(function, declared, untyped):
    """What to say of parameters whose types nothing says, with types that calls return with if some are found."""
    named = [f"`{name}`" for name in untyped]
    listed = " and ".join([", ".join(named[:-1]), named[-1]] if named[1:] else named)
    several = len(untyped) > 1
    hints = " ".join(f'{FLAG} {name}={shell(hint)}' for name, hint in zip(untyped, suggestion(function, declared, untyped)))
    return (
        f"the parameter{'s' if several else ''} {listed} of `{function.__name__}` {'have' if several else 'has'} no annotation, "
        f"and neither a default nor an example in the docstring says {'their types' if several else 'its type'}: "
        f"add {'them' if several else 'one'}, or say so with {hints}"
    )


def shell(hint):
    return f"'{hint}'" if "[" in hint else hint


def suggestion(function, declared, untyped):
    """Types with which calls return, if there is nothing else that has to be given."""
    import itertools

    kinds = inspect.Parameter
    needed = [p.name for p in declared if p.default is kinds.empty and p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    unknown = ["int"] * len(untyped)
    if needed != untyped:
        return unknown
    same = [(guess,) * len(untyped) for guess in GUESSES]
    others = itertools.product(GUESSES, repeat=len(untyped))
    for guesses in itertools.islice(chain(same, others), MOST_GUESSES):
        if all(returns(function, [GUESSES[guess][i] for guess in guesses]) for i in (0, 1)):
            return list(guesses)
    return unknown


def returns(function, values):
    def stop(*_):
        raise Stuck

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, GUESS, GUESS)
    try:
        function(*values)
        return True
    except (Stuck, Exception):
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
