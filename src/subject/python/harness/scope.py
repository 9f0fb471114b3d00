"""The code that is mutated: the function, and what it calls in its own package."""

MOST_FUNCTIONS = 60


class Piece:
    """A function whose code can be exchanged."""

    def __init__(self, function, node, above, file):
        self.function = function
        self.node = node
        # The classes and functions that it is in, from the outermost on.
        self.above = above
        self.file = file
        self.code = function.__code__
        self.name = function.__qualname__
        self.names = function.__globals__

    def compiled(self):
        """The code of the tree as it is now; none if it does not fit in place of the original."""
        tree = self.node
        is_inside = False
        for above in reversed(self.above):
            if isinstance(above, ast.ClassDef):
                kept = dict(name=above.name, bases=[], keywords=[], body=[tree], decorator_list=[])
                if hasattr(above, "type_params"):
                    kept["type_params"] = above.type_params
                tree = ast.copy_location(ast.ClassDef(**kept), above)
            elif not is_inside:
                # A function around it is compiled as a whole: it has the variables that this one uses.
                tree, is_inside = above, True
            else:
                tree = above
        module = ast.Module(body=[tree], type_ignores=[])
        flags = self.code.co_flags & FUTURE
        try:
            code = compile(module, self.file, "exec", flags, True)
        except (SyntaxError, ValueError, TypeError, RecursionError):
            return None
        code = inner_code(code, self.code)
        if code is None or code.co_freevars != self.code.co_freevars:
            return None
        return code


def future_flags():
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


FUTURE = future_flags()


def inner_code(code, wanted):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_name == wanted.co_name and constant.co_firstlineno == wanted.co_firstlineno:
                return constant
            found = inner_code(constant, wanted)
            if found is not None:
                return found
    return None


class Sources:
    """The trees of modules, each read once."""

    def __init__(self):
        self.trees = {}

    def functions(self, file):
        """The functions of a file by first line and name: the node, and what it is in."""
        if file not in self.trees:
            self.trees[file] = self.parsed(file)
        return self.trees[file]

    def parsed(self, file):
        import tokenize

        try:
            with tokenize.open(file) as opened:
                tree = ast.parse(opened.read(), file)
        except (OSError, SyntaxError, ValueError, UnicodeDecodeError, RecursionError):
            return {}
        found = {}
        todo = [(node, ()) for node in tree.body]
        while todo:
            node, above = todo.pop()
            inner = above
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if isinstance(node, ast.FunctionDef):
                    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                    found.setdefault((first, node.name), (node, above))
                inner = above + (node,)
            todo.extend((child, inner) for child in ast.iter_child_nodes(node))
        return found


def scope(function, owner):
    """The functions that are mutated, the asked one first, and what keeps code from that."""
    sources, pieces, seen = Sources(), [], set()
    package = package_of(function, owner)
    classes, attributes = [], set()
    todo = [function] if owner is None else [function, owner]
    while todo:
        thing = todo.pop(0)
        for inner in callables(thing):
            if isinstance(inner, type):
                if id(inner) not in seen and package_of(inner) == package:
                    seen.add(id(inner))
                    classes.append(inner)
                    todo.extend(methods(inner, attributes | STARTING))
                continue
            if id(inner.__code__) in seen or package_of(inner) != package or len(pieces) >= MOST_FUNCTIONS:
                continue
            seen.add(id(inner.__code__))
            file = inner.__code__.co_filename
            node, above = sources.functions(file).get((inner.__code__.co_firstlineno, inner.__code__.co_name), (None, ()))
            if node is None:
                continue
            piece = Piece(inner, node, above, file)
            if any(piece.node in ast.walk(other.node) for other in pieces):
                # A function within one that is mutated as a whole.
                continue
            pieces.append(piece)
            used, names = references(inner, node)
            todo.extend(used)
            for name in names - attributes:
                attributes.add(name)
                for cls in classes:
                    todo.extend(methods(cls, {name}))
    return pieces


# Methods that are called without being named.
STARTING = {"__init__", "__new__", "__post_init__", "__call__", "__iter__", "__len__", "__getitem__", "__contains__", "__str__"}


def package_of(thing, owner=None):
    name = getattr(owner or thing, "__module__", None) or ""
    return name.partition(".")[0]


def callables(thing):
    """The functions in Python, and the classes, that a thing leads to."""
    for _ in range(10):
        if isinstance(thing, (staticmethod, classmethod)):
            thing = thing.__func__
        elif isinstance(thing, types.MethodType):
            thing = thing.__func__
        elif isinstance(thing, property):
            for part in (thing.fget, thing.fset):
                if part is not None:
                    yield from callables(part)
            return
        elif type(thing).__name__ == "partial":
            thing = thing.func
        elif type(thing).__name__ == "cached_property":
            thing = thing.func
        elif isinstance(thing, types.FunctionType) and hasattr(thing, "__wrapped__"):
            yield thing
            thing = thing.__wrapped__
        elif hasattr(thing, "__wrapped__") and callable(thing) and not isinstance(thing, type):
            thing = thing.__wrapped__
        else:
            break
    if isinstance(thing, (types.FunctionType, type)):
        yield thing


def methods(cls, names):
    for base in cls.__mro__:
        for name in names:
            if name in vars(base):
                yield vars(base)[name]


def references(function, node):
    """What a function names, and the attributes that it asks for."""
    names = function.__globals__
    closure = inspect.getclosurevars(function).nonlocals if function.__closure__ else {}
    used, attributes = [], set()
    own = set(function.__code__.co_varnames)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in own:
            continue
        if isinstance(part, ast.Name):
            used.append(closure.get(part.id, names.get(part.id)))
        elif isinstance(part, ast.Attribute):
            attributes.add(part.attr)
            if isinstance(part.value, ast.Name):
                owner = names.get(part.value.id)
                if isinstance(owner, (types.ModuleType, type)):
                    used.append(getattr(owner, part.attr, None))
    instances = [type(thing) for thing in used if type(thing).__module__ == function.__module__]
    return [thing for thing in used if callable(thing)] + instances, attributes


def caches(pieces):
    """The caches of functions in the modules that are mutated."""
    found = []
    for names in {id(piece.names): piece.names for piece in pieces}.values():
        for thing in list(names.values()):
            things = [thing] + (list(vars(thing).values()) if isinstance(thing, type) else [])
            found += [thing.cache_clear for thing in things if type(thing).__name__ == "_lru_cache_wrapper"]
    return found
