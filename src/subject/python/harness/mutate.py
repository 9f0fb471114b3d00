"""Mutants, as changes of trees that are taken back again.

Group B has the changes of mutmut and cosmic-ray; group A has others. None makes what one of the other group makes.
"""

# Of each group, at most; what is left out is spread evenly.
MOST_MUTANTS = 240

# Operators, with those that mutmut puts in their place, and those that group A does.
ARITHMETIC = {
    ast.Add: (ast.Sub, (ast.Mult,)),
    ast.Sub: (ast.Add, (ast.Mult,)),
    ast.Mult: (ast.Div, (ast.Add, ast.Sub)),
    ast.Div: (ast.Mult, (ast.Add, ast.Sub)),
    ast.FloorDiv: (ast.Div, (ast.Mult, ast.Mod)),
    ast.Mod: (ast.Div, (ast.Mult, ast.FloorDiv)),
    ast.Pow: (ast.Mult, (ast.Add,)),
    ast.MatMult: (None, ()),
    ast.BitAnd: (ast.BitOr, (ast.BitXor,)),
    ast.BitOr: (ast.BitAnd, (ast.BitXor,)),
    ast.BitXor: (ast.BitAnd, (ast.BitOr,)),
    ast.LShift: (ast.RShift, ()),
    ast.RShift: (ast.LShift, ()),
}
COMPARISONS = {
    ast.Lt: ("CBM", ast.LtE, (ast.Gt, ast.NotEq, ast.GtE)),
    ast.LtE: ("CBM", ast.Lt, (ast.GtE, ast.Eq, ast.Gt)),
    ast.Gt: ("CBM", ast.GtE, (ast.Lt, ast.NotEq, ast.LtE)),
    ast.GtE: ("CBM", ast.Gt, (ast.LtE, ast.Eq, ast.Lt)),
    ast.Eq: ("NEG", ast.NotEq, (ast.LtE, ast.GtE)),
    ast.NotEq: ("NEG", ast.Eq, (ast.Lt, ast.Gt)),
    ast.Is: ("NEG", ast.IsNot, ()),
    ast.IsNot: ("NEG", ast.Is, ()),
    ast.In: ("NEG", ast.NotIn, ()),
    ast.NotIn: ("NEG", ast.In, ()),
}
METHODS = {
    "lower": "upper",
    "lstrip": "rstrip",
    "ljust": "rjust",
    "find": "rfind",
    "index": "rindex",
    "partition": "rpartition",
    "split": "rsplit",
    "startswith": "endswith",
    "removeprefix": "removesuffix",
    "append": "extend",
    "min": "max",
    "any": "all",
    "floor": "ceil",
    "sin": "cos",
    "isalpha": "isalnum",
    "isdigit": "isalpha",
}
METHODS |= {other: name for name, other in METHODS.items() if other not in METHODS}
GROUP_B = {"MATH", "CBM", "NEG", "AND_OR", "CRCR", "TEXT", "KEYWORD", "NOT", "ASSIGN", "RETURN", "METHOD", "LOOP", "ARGUMENT"}


class Candidate:
    """A change of one place of a tree."""

    def __init__(self, operator, piece, old, new, at, change):
        self.operator = operator
        self.piece = piece
        self.old = old
        self.new = new
        # The node, and the field of it, that the old one is in.
        self.at = at
        self.line = getattr(old, "lineno", None) or at[0].lineno
        self.column = getattr(old, "col_offset", -1) + 1
        self.change = change

    def exchange(self, old, new):
        node, field = self.at
        value = getattr(node, field)
        if isinstance(value, list):
            place = next(i for i, inner in enumerate(value) if inner is old)
            value[place] = new
        else:
            setattr(node, field, new)

    def code(self):
        """The code with the change."""
        self.exchange(self.old, self.new)
        try:
            with Guards(self.piece.node):
                return self.piece.compiled()
        finally:
            self.exchange(self.new, self.old)


def text_of(node):
    operators = {ast.Add: "+", ast.Sub: "-"}
    try:
        text = operators.get(type(node)) or ast.unparse(node)
    except Exception:
        text = type(node).__name__
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


class Survey:
    """Finds what can be changed in a function."""

    def __init__(self, piece):
        self.piece = piece
        self.found = []
        self.constants = {}
        self.locals = {
            part.id
            for part in ast.walk(piece.node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del))
        } | {argument.arg for argument in arguments_of(piece.node)}

    def add(self, operator, at, old, new, change=None):
        ast.copy_location(new, old if hasattr(old, "lineno") else at[0])
        ast.fix_missing_locations(new)
        change = change or f"`{text_of(new)}` instead of `{text_of(old)}`"
        self.found.append(Candidate(operator, self.piece, old, new, at, change))

    def body(self, node, field="body"):
        for statement in getattr(node, field):
            self.statement(statement, (node, field))

    def statement(self, node, at):
        kind = type(node)
        if kind is ast.Expr and isinstance(node.value, ast.Constant):
            return
        if kind in (ast.Assign, ast.AugAssign, ast.Expr) or kind is ast.Raise:
            self.add("STD", at, node, ast.Pass(), f"`{text_of(node)}` left out")
        if kind is ast.Assign and not is_none(node.value) and not isinstance(node.value, ast.Tuple):
            self.add("ASSIGN", (node, "value"), node.value, ast.Constant(None))
        if kind is ast.AugAssign:
            self.augmented(node, at)
        if kind is ast.Return and node.value is not None:
            self.returned(node)
        if kind in (ast.Break, ast.Continue):
            self.add("KEYWORD", at, node, ast.Continue() if kind is ast.Break else ast.Break())
        if kind in (ast.If, ast.While):
            self.condition(node)
        if kind is ast.For:
            self.add("LOOP", (node, "iter"), node.iter, ast.List([], ast.Load()), "the loop is never entered")
        if kind is ast.While:
            once = node.body + [ast.Break()]
            self.loop_once(node, once)
        if kind in (ast.FunctionDef, ast.AsyncFunctionDef):
            self.body(node)
            return
        if kind is ast.ClassDef:
            return
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "decorator_list", "returns", "type_comment", "pattern"):
                continue
            self.field(node, field, value)

    def loop_once(self, node, once):
        new = ast.While(test=node.test, body=once, orelse=node.orelse)
        ast.copy_location(new, node)
        ast.fix_missing_locations(new)
        # The whole loop would be long to show.
        self.found.append(LoopOnce("LOOP", self.piece, node, new, (node, "body"), "the loop left after its first round"))

    def field(self, node, field, value):
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.stmt):
                self.statement(inner, (node, field))
            elif isinstance(inner, ast.expr):
                self.expression(inner, (node, field))
            elif isinstance(inner, (ast.keyword, ast.comprehension, ast.ExceptHandler, ast.withitem)) or type(
                inner
            ).__name__ == "match_case":
                for name, part in ast.iter_fields(inner):
                    if name not in ("pattern", "type"):
                        self.field(inner, name, part)

    def condition(self, node):
        test = node.test
        if isinstance(test, ast.Constant):
            return
        if isinstance(node, ast.If):
            for truth in (True, False):
                self.add("COR", (node, "test"), test, ast.Constant(truth))
        if not isinstance(test, (ast.Compare, ast.BoolOp)) and not is_not(test):
            self.add("NOT", (node, "test"), test, ast.UnaryOp(ast.Not(), test))

    def augmented(self, node, at):
        swapped, others = ARITHMETIC[type(node.op)]
        for operator, kinds in (("MATH", [swapped] if swapped else []), ("AOR", others)):
            for kind in kinds:
                new = ast.AugAssign(target=node.target, op=kind(), value=node.value)
                self.add(operator, at, node, new)

    def returned(self, node):
        value = node.value
        if is_none(value):
            return
        self.add("RETURN", (node, "value"), value, ast.Constant(None))

    def expression(self, node, at):
        kind = type(node)
        if kind is ast.BinOp:
            self.binary(node, at)
        elif kind is ast.Compare:
            self.comparison(node, at)
        elif kind is ast.BoolOp:
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            self.add("AND_OR", at, node, ast.BoolOp(other, node.values))
            for value in node.values[:2]:
                self.add("COR", at, node, value, f"`{text_of(value)}` instead of `{text_of(node)}`")
        elif kind is ast.UnaryOp:
            if isinstance(node.op, ast.Not):
                self.add("NOT", at, node, node.operand)
            elif isinstance(node.op, (ast.USub, ast.Invert)) and not isinstance(node.operand, ast.Constant):
                self.add("ORU", at, node, node.operand)
        elif kind is ast.Constant:
            self.constant(node, at)
            return
        elif kind is ast.Name:
            self.variable(node, at)
            return
        elif kind is ast.Call:
            self.call(node, at)
        elif kind is ast.IfExp:
            self.add("COR", at, node, node.body)
            self.add("COR", at, node, node.orelse)
            if not isinstance(node.test, (ast.Compare, ast.BoolOp)) and not is_not(node.test):
                self.add("NOT", (node, "test"), node.test, ast.UnaryOp(ast.Not(), node.test))
        elif kind is ast.Subscript and isinstance(node.slice, ast.Slice):
            self.slice(node)
        for field, value in ast.iter_fields(node):
            if kind is ast.JoinedStr and field == "values":
                value = [part for part in value if not isinstance(part, ast.Constant)]
            if kind is ast.FormattedValue and field == "format_spec":
                continue
            self.field(node, field, value)

    def binary(self, node, at):
        swapped, others = ARITHMETIC[type(node.op)]
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            swapped, others = None, ()
        if swapped:
            self.add("MATH", at, node, ast.BinOp(node.left, swapped(), node.right))
        for other in others:
            self.add("AOR", at, node, ast.BinOp(node.left, other(), node.right))
        for operand in (node.left, node.right):
            self.add("AOD", at, node, operand, f"`{text_of(operand)}` instead of `{text_of(node)}`")

    def comparison(self, node, at):
        for place, op in enumerate(node.ops):
            operator, swapped, others = COMPARISONS[type(op)]

            def exchanged(other):
                ops = list(node.ops)
                ops[place] = other()
                return ast.Compare(node.left, ops, node.comparators)

            self.add(operator, at, node, exchanged(swapped))
            sides = [node.left, *node.comparators][place : place + 2]
            if any(isinstance(side, ast.Constant) and not isinstance(side.value, (int, float)) for side in sides):
                # Texts are equal or not; nobody confuses these with an order.
                continue
            for other in others:
                self.add("ROR", at, node, exchanged(other))

    def constant(self, node, at):
        value = node.value
        if isinstance(value, bool):
            self.add("KEYWORD", at, node, ast.Constant(not value))
        elif isinstance(value, (int, float)):
            self.count(value)
            for other in (0, 1, -1, -value):
                if other != value and other != value + 1 and abs(value) < 2**53:
                    self.add("LVR", at, node, ast.Constant(type(value)(other)))
            self.add("CRCR", at, node, ast.Constant(value + 1))
            if value - 1 not in (0, 1, -1, -value):
                self.add("CRCR", at, node, ast.Constant(value - 1))
        elif isinstance(value, str):
            for character in value[:40]:
                self.count(ord(character))
            if value:
                self.add("LVR", at, node, ast.Constant(""))
            self.add("TEXT", at, node, ast.Constant(f"XX{value}XX"))

    def count(self, value):
        try:
            value = float(value)
        except OverflowError:
            return
        if abs(value) == float("inf") or value != value:
            return
        self.constants[value] = self.constants.get(value, 0) + 1

    def variable(self, node, at):
        if not isinstance(node.ctx, ast.Load) or node.id not in self.locals:
            return
        if isinstance(at[0], (ast.BinOp, ast.Compare, ast.Subscript, ast.Return, ast.Call)) and at[1] != "func":
            self.add("UOI", at, node, ast.BinOp(node, ast.Add(), ast.Constant(1)))

    def call(self, node, at):
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", None))
        if name in METHODS:
            other = METHODS[name]
            new = ast.Attribute(function.value, other, ast.Load()) if isinstance(function, ast.Attribute) else ast.Name(other, ast.Load())
            self.add("METHOD", (node, "func"), function, new)
        for argument in node.args:
            if not is_none(argument) and not isinstance(argument, ast.Starred):
                self.add("ARGUMENT", (node, "args"), argument, ast.Constant(None))
        if isinstance(function, ast.Attribute) and not isinstance(function.value, ast.Constant):
            self.add("MCR", at, node, function.value, f"`{text_of(function.value)}` instead of `{text_of(node)}`")
        elif isinstance(function, ast.Name) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            self.add("MCR", at, node, node.args[0], f"`{text_of(node.args[0])}` instead of `{text_of(node)}`")

    def slice(self, node):
        for field in ("lower", "upper"):
            bound = getattr(node.slice, field)
            if bound is not None:
                self.add("AOD", (node.slice, field), bound, ast.Constant(None), f"`{text_of(bound)}` left out of a slice")


class LoopOnce(Candidate):
    """A loop that is left after its first round."""

    def code(self):
        loop = self.at[0]
        loop.body.append(self.new.body[-1])
        try:
            with Guards(self.piece.node):
                return self.piece.compiled()
        finally:
            loop.body.pop()


def arguments_of(node):
    arguments = node.args
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return found + [argument for argument in (arguments.vararg, arguments.kwarg) if argument]


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def is_not(node):
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def candidates(pieces):
    """All changes, and how often which constant stands in the code."""
    found, constants = [], {}
    for piece in pieces:
        survey = Survey(piece)
        survey.body(piece.node)
        found += survey.found
        for value, count in survey.constants.items():
            constants[value] = constants.get(value, 0) + count
    return found, constants


def likeness(code):
    """What tells code from other code, but for names and lines."""
    constants = tuple(
        likeness(constant) if isinstance(constant, types.CodeType) else (type(constant).__name__, repr(constant))
        for constant in code.co_consts
    )
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def viable(found):
    """The numbers of the mutants whose code can be compiled and is that of no other, thinned out."""
    seen, numbers = {}, {"A": [], "B": []}
    for number, candidate in enumerate(found):
        group = "B" if candidate.operator in GROUP_B else "A"
        numbers[group].append(number)
    kept = []
    for group in numbers.values():
        size = len(group)
        room = min(2 * MOST_MUTANTS, size)
        for place, number in enumerate(group):
            if (place + 1) * room // size == place * room // size:
                continue
            candidate = found[number]
            code = candidate.code()
            if code is None:
                continue
            piece = id(candidate.piece)
            if piece not in seen:
                with Guards(candidate.piece.node):
                    seen[piece] = {likeness(candidate.piece.compiled() or candidate.piece.code)}
            known = seen[piece]
            alike = likeness(code)
            if alike not in known:
                known.add(alike)
                kept.append((number, group))
    thinned = []
    for group in numbers.values():
        own = [number for number, of in kept if of is group]
        room = min(MOST_MUTANTS, len(own))
        thinned += [n for i, n in enumerate(own) if (i + 1) * room // len(own) != i * room // len(own)]
    return thinned
