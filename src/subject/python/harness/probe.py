"""Fuel and branches put into trees.

A call of `__gm_tick__` is one unit of fuel: at the beginning of functions, and of each round of loops. In the version that
is watched, conditions tell how near they came to the other side.
"""

TICK = "__gm_tick__"
TOOK = "__gm_took__"
LEAF = "__gm_leaf__"
ORDERS = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
}


def tick(near):
    call = ast.Expr(ast.Call(ast.Name(TICK, ast.Load()), [], []))
    ast.copy_location(call, near)
    return ast.fix_missing_locations(call)


def put_ticks(node):
    """Puts fuel into a function and the functions in it."""
    for part in list(ast.walk(node)):
        if isinstance(part, (ast.For, ast.AsyncFor, ast.While)):
            part.body.insert(0, tick(part))
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            place = 1 if is_docstring(part.body[0]) else 0
            part.body.insert(place, tick(part))


def is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# The most bits of an integer that mutants multiply, and the most elements of what they repeat.
BITS = 1 << 14
ELEMENTS = 1 << 22
GUARD = "__gm_guard__"
GROWING = {ast.Mult: "*", ast.Pow: "**", ast.LShift: "<<"}


def guard(operator, a, b):
    """An operation whose result may be too large for anybody to wait for."""
    if isinstance(a, int) and isinstance(b, int):
        if operator == "*":
            bits = a.bit_length() + b.bit_length()
        elif operator == "<<":
            bits = a.bit_length() + b
        else:
            bits = a.bit_length() * b if b > 0 else 0
        if bits > BITS:
            raise OutOfFuel
    elif operator == "*":
        for many, times in ((a, b), (b, a)):
            if isinstance(times, int) and hasattr(many, "__len__") and len(many) * times > ELEMENTS:
                raise MemoryError
    if operator == "*":
        return a * b
    return a << b if operator == "<<" else a**b


class Guards:
    """Guards that are put around operations of a tree, and taken away again; nodes stay where they are."""

    def __init__(self, node):
        found = {id(part): part for part in ast.walk(node) if isinstance(part, (ast.BinOp, ast.AugAssign)) and type(part.op) in GROWING}
        self.nodes = [part for part in found.values() if isinstance(part, ast.BinOp) or isinstance(part.target, ast.Name)]

    def __enter__(self):
        self.kept = [(part, type(part), dict(vars(part))) for part in self.nodes]
        for part, kind, fields in self.kept:
            operator = ast.Constant(GROWING[type(part.op)])
            if kind is ast.BinOp:
                part.__class__ = ast.Call
                part.func, part.args, part.keywords = ast.Name(GUARD, ast.Load()), [operator, part.left, part.right], []
            else:
                read = ast.Name(part.target.id, ast.Load())
                call = ast.Call(ast.Name(GUARD, ast.Load()), [operator, read, part.value], [])
                part.__class__ = ast.Assign
                part.targets, part.value = [part.target], ast.copy_location(call, part)
            ast.fix_missing_locations(part)

    def __exit__(self, *_):
        for part, kind, fields in self.kept:
            part.__class__ = kind
            vars(part).clear()
            vars(part).update(fields)


class Branches(ast.NodeTransformer):
    """Puts hooks at the conditions of a function."""

    def __init__(self, piece, found):
        self.piece = piece
        self.found = found
        self.leaves = 0

    def number(self, node):
        self.found.append((self.piece, node.lineno, node.col_offset + 1))
        return len(self.found) - 1

    def hooked(self, test):
        number = self.number(test)
        test = self.watched(test, number, [0])
        call = ast.Call(ast.Name(TOOK, ast.Load()), [ast.Constant(number), test[0], test[1]], [])
        return ast.fix_missing_locations(ast.copy_location(call, test[0]))

    def watched(self, test, number, count):
        """A condition whose parts tell their distances, and how these are put together: a tuple of keys, `and` or `or`."""
        if is_not(test):
            inner, how = self.watched(test.operand, number, count)
            new = ast.copy_location(ast.UnaryOp(ast.Not(), inner), test)
            return new, ast.Tuple([ast.Constant("not"), how], ast.Load())
        if isinstance(test, ast.BoolOp):
            word = "and" if isinstance(test.op, ast.And) else "or"
            parts = [self.watched(value, number, count) for value in test.values]
            new = ast.copy_location(ast.BoolOp(test.op, [part for part, _ in parts]), test)
            return new, ast.Tuple([ast.Constant(word), *(how for _, how in parts)], ast.Load())
        count[0] += 1
        key = ast.Constant(1000 * number + count[0])
        if isinstance(test, ast.Compare) and len(test.ops) > 1 and all(map(is_pure, test.comparators[:-1])):
            sides = [test.left, *test.comparators]
            pairs = [ast.Compare(a, [op], [b]) for a, op, b in zip(sides, test.ops, sides[1:])]
            both = ast.BoolOp(ast.And(), [ast.copy_location(pair, test) for pair in pairs])
            return self.watched(ast.copy_location(both, test), number, count)
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in ORDERS:
            arguments = [key, ast.Constant(ORDERS[type(test.ops[0])]), test.left, test.comparators[0]]
        else:
            arguments = [key, ast.Constant("is"), test, ast.Constant(None)]
        new = ast.Call(ast.Name(LEAF, ast.Load()), [self.visit(argument) for argument in arguments], [])
        return ast.copy_location(new, test), key

    def visit_If(self, node):
        return self.tested(node)

    def visit_While(self, node):
        return self.tested(node)

    def visit_IfExp(self, node):
        return self.tested(node)

    def visit_Assert(self, node):
        return self.tested(node)

    def tested(self, node):
        if not isinstance(node.test, ast.Constant):
            node.test = self.hooked(node.test)
        for field, value in ast.iter_fields(node):
            if field == "test":
                continue
            if isinstance(value, list):
                setattr(node, field, [self.visit(inner) for inner in value])
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def visit_comprehension(self, node):
        node.ifs = [self.hooked(test) for test in node.ifs]
        node.iter = self.visit(node.iter)
        return node

    def visit_Return(self, node):
        if isinstance(node.value, (ast.Compare, ast.BoolOp)) or node.value and is_not(node.value):
            node.value = self.hooked(node.value)
            return node
        return self.generic_visit(node)


def is_pure(node):
    return isinstance(node, (ast.Name, ast.Constant))


def distances(order, a, b):
    """Whether a condition holds, and how far it is from true and from false."""
    if order == "<":
        truth = a < b
    elif order == "<=":
        truth = a <= b
    elif order == ">":
        truth = a > b
    elif order == ">=":
        truth = a >= b
    elif order == "==":
        truth = a == b
    elif order == "!=":
        truth = a != b
    elif order == "in":
        truth = a in b
    elif order == "not in":
        truth = a not in b
    else:
        truth = a
    try:
        gap = apart(order, a, b)
    except Exception:
        gap = 1.0
    gap = max(gap, 1e-9) if gap == gap else 1.0
    return truth, (0.0, gap) if truth else (gap, 0.0)


def apart(order, a, b):
    if order == "is":
        if isinstance(a, (int, float)):
            return abs(float(a))
        return float(len(a)) if hasattr(a, "__len__") else 1.0
    if order in ("in", "not in"):
        if a in b or not len(b):
            return 1.0
        return min(apart("==", a, other) for other in list(b)[:20])
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return float(abs(a - b)) + (0.0 if order in ("==", "!=") else 0.5)
    if isinstance(a, (str, bytes, list, tuple)) and isinstance(b, type(a)):
        codes = (ord, ord) if isinstance(a, str) else (float, float)
        gap = 10.0 * abs(len(a) - len(b))
        for x, y in zip(a[:20], b[:20]):
            gap += 1.0 - 1.0 / (1.0 + abs(codes[0](x) - codes[1](y)))
        return gap
    return 1.0


class Watch:
    """What conditions told of one call."""

    def __init__(self, branches):
        self.sides = 2 * branches
        self.leaves = {}
        self.start()

    def start(self):
        self.hits = array("I", bytes(4 * self.sides))
        self.distances = array("d", [float("inf")]) * self.sides
        self.leaves.clear()

    def leaf(self, key, order, a, b):
        truth, self.leaves[key] = distances(order, a, b)
        return truth

    def took(self, number, value, how):
        truth = bool(value)
        to_true, to_false = self.together(how)
        near = (0.0, max(to_false, 1e-9)) if truth else (max(to_true, 1e-9), 0.0)
        self.hits[2 * number + truth] += 1
        # Side 1 is taken when the condition is true.
        for side in (0, 1):
            place = 2 * number + side
            self.distances[place] = min(self.distances[place], near[1 - side])
        return value

    def together(self, how):
        if not isinstance(how, tuple):
            return self.leaves.get(how, (1.0, 1.0))
        parts = [self.together(part) for part in how[1:]]
        if how[0] == "not":
            return parts[0][1], parts[0][0]
        to_true, to_false = [part[0] for part in parts], [part[1] for part in parts]
        if how[0] == "and":
            return sum(to_true), min(to_false)
        return min(to_true), sum(to_false)
