"""Rows in, outcomes out.

Calls are made in a loop that is written for the signature. Each call is followed by one tick, whose number says what was
spent; who spent too much is seen afterwards, so the loop has nothing to decide.
"""

# What calls may spend together, beyond what one of them may, before they get fuel one by one.
SLACK = 100_000
# Rows that are tried first, and how long rows that are answered together may take.
FIRST = 32
MOMENT = 0.03
RECURSION = 1_000


class Empty:
    """The end of an iterator of fuel."""

    def __iter__(self):
        return self

    def __next__(self):
        raise OutOfFuel


class Versions:
    """The original and its mutants, of which one is in force."""

    def __init__(self, pieces, found):
        self.pieces = pieces
        self.found = found
        self.codes = {}
        self.current = None
        self.branches = []
        self.watched = None
        self.clear = caches(pieces)
        for piece in pieces:
            piece.function.__code__ = piece.counted

    def watch(self):
        """The codes with hooks, made when they are first needed."""
        if self.watched is None:
            self.watched = []
            for piece in self.pieces:
                tree = piece.node
                piece.node = self.copied(piece)
                known = len(self.branches)
                # The tree around a function in a function has the original in it.
                is_alone = not any(isinstance(above, ast.FunctionDef) for above in piece.above)
                if is_alone:
                    Branches(piece, self.branches).visit(piece.node)
                code = piece.compiled()
                piece.node = tree
                if code is None:
                    del self.branches[known:]
                self.watched.append(code or piece.counted)
        return self.watched

    @staticmethod
    def copied(piece):
        import copy

        return copy.deepcopy(piece.node)

    def enter(self, version):
        """Puts a version into force: `watched`, 0 for the original, or the number of a mutant and 1."""
        for clear in self.clear:
            clear()
        if version == self.current:
            return
        if self.current == "watched" or version == "watched":
            codes = self.watch() if version == "watched" else [piece.counted for piece in self.pieces]
            for piece, code in zip(self.pieces, codes):
                piece.function.__code__ = code
        elif self.current:
            piece = self.found[self.current - 1].piece
            piece.function.__code__ = piece.counted
        if version not in ("watched", 0):
            candidate = self.found[version - 1]
            if version not in self.codes:
                self.codes[version] = candidate.code() or candidate.piece.counted
            candidate.piece.function.__code__ = self.codes[version]
        self.current = version


class Batches:
    """Runs rows of a function."""

    def __init__(self, function, parameters, outputs, versions):
        self.function = function
        self.columns = [leaf for p in parameters for leaf in leaves(p.name, p.form)]
        self.outputs = outputs
        self.versions = versions
        self.modules = list({id(piece.names): piece.names for piece in versions.pieces}.values())
        self.watch = None
        self.number = 0
        self.inside = False
        self.seen = -1
        self.spent = []
        self.threads = threads()
        objects = {}
        names = [f"c{i}" for i in range(len(self.columns))]
        columns = iter(names)
        values = [(p, built(p.form, columns, objects)) for p in parameters]
        arguments = ", ".join(f"{p.name}={value}" if p.keyword else value for p, value in values)
        source = (
            "def loop(f, rows, out, spent, tick):\n"
            f"    for {', '.join(names)}, in rows:\n"
            f"        out(f({arguments}))\n"
            "        spent(tick())\n"
        )
        exec(source, objects)
        self.loop = objects["loop"]
        for names in self.modules:
            names[GUARD] = guard
        self.refuel(0)
        signal.signal(signal.SIGALRM, self.alarm)

    def alarm(self, *_):
        """Every now and then: a call that has been the same for long is stopped."""
        row = self.number + len(self.spent)
        if self.inside and row == self.seen:
            self.seen = -1
            raise Stuck
        self.seen = row

    def refuel(self, units):
        """Fuel for the next calls; ticks are numbered on."""
        self.end = self.number + units
        self.tick = chain(range(self.number, self.end), Empty()).__next__
        for names in self.modules:
            names[TICK] = self.tick

    def run(self, body, answer):
        """Runs the rows of a request, and answers in parts."""
        reader = Reader(body)
        mutant, careful, sides, patience, count = (reader.u32() for _ in range(5))
        limits = reader.many("Q", count)
        columns = [Column(form, reader, count) for _, form in self.columns]
        self.versions.enter("watched" if sides else mutant)
        if sides:
            self.watch = Watch(len(self.versions.branches))
            for names in self.modules:
                names[LEAF], names[TOOK] = self.watch.leaf, self.watch.took
        signal.signal(signal.SIGALRM, self.alarm)
        signal.setitimer(signal.ITIMER_REAL, patience / 1000, patience / 1000)
        self.is_careful = bool(sides)
        start, most = 0, 1 if careful else FIRST
        while start < count:
            begin = monotonic()
            done = self.part(columns, start, min(start + most, count), limits, bool(sides), answer)
            start += done
            if not careful:
                time = monotonic() - begin
                most = most * 4 if time < MOMENT / 4 else most if time < MOMENT else max(most // 2, 1)
        signal.setitimer(signal.ITIMER_REAL, 0)

    def part(self, columns, start, stop, limits, is_watched, answer):
        """Runs some rows, and answers those that are done."""
        sys.setrecursionlimit(RECURSION)
        values = [column.rows(start, stop) for column in columns]
        size = stop - start
        self.number += 1
        before = self.number - 1
        # A tick that counts as the one after the call before.
        results, spent, ends, names, thrown = [], [], bytearray(size), {}, []
        self.spent = spent
        marks = ([], [])
        rows = zip(*values)
        begin = monotonic()
        most = max(limits[start:stop]) + SLACK
        again = None
        while len(spent) < size:
            row = len(spent)
            if again is not None:
                batch, fuel = iter([again]), limits[start + row]
            elif self.is_careful:
                batch, fuel = iter([next(rows)]), limits[start + row]
            else:
                batch, fuel = rows, most
            if is_watched:
                self.watch.start()
            again_now, again = again, None
            self.refuel(fuel + 1)
            try:
                self.inside = True
                self.loop(self.function, batch, results.append, spent.append, self.tick)
                self.inside = False
            except BaseException as error:
                self.inside = False
                end, name = ending(error)
                error = None
                row = len(spent)
                del results[row:]
                last = spent[-1] if spent else before
                limit = limits[start + row]
                if end != FUEL:
                    try:
                        number = self.tick()
                    except OutOfFuel:
                        end = FUEL
                if end == FUEL:
                    used = self.end - last - 1
                    if used <= limit and again_now is None and not self.is_careful:
                        # Others have spent what was there.
                        again = tuple(column.rows(start + row, start + row + 1)[0] for column in columns)
                        for column, value in zip(values, again):
                            column[row] = value
                        self.number = last + 1
                        continue
                    self.is_careful = True
                    number = last + limit + 2
                if end == THREW:
                    thrown.append(names.setdefault(name, len(names)))
                ends[row] = end
                results.append(None)
                spent.append(number)
                if end == HUNG or monotonic() - begin > 2 * MOMENT:
                    size = len(spent)
            if spent:
                self.number = spent[-1] + 1
            if is_watched:
                marks[0].append(self.watch.hits)
                marks[1].append(self.watch.distances)
        if threads() > self.threads:
            os._exit(BROKEN)
        self.answer(size, before, results, spent, ends, names, thrown, values, marks, answer)
        return size

    def answer(self, size, before, results, spent, ends, names, thrown, values, marks, answer):
        del ends[size:]
        packs = self.packed(results, ends, names, thrown, values)
        order = [name.encode("utf-8", "replace") for name in names]
        answer(
            size.to_bytes(4, "little"),
            len(order).to_bytes(4, "little"),
            *(part for name in order for part in (len(name).to_bytes(4, "little"), name)),
            ends,
            array("I", thrown).tobytes(),
            before.to_bytes(8, "little"),
            array("Q", spent).tobytes(),
            *packs,
            *(hits.tobytes() for hits in marks[0]),
            *(distances.tobytes() for distances in marks[1]),
        )

    def packed(self, results, ends, names, thrown, values):
        """The columns of outputs of the rows that returned. What is no value of its type changes the ends of rows."""
        columns = []
        for form, place in self.outputs:
            column = results if place is None else values[place]
            columns.append((form, [v for v, end in zip(column, ends) if end == RETURNED] if any(ends) else column[: len(ends)]))
        try:
            if all(are_plain(form, column) for form, column in columns):
                return [packed(form, column) for form, column in columns]
        except (OverflowError, UnicodeEncodeError, TypeError, ValueError):
            pass
        kept = [[] for _ in columns]
        row = -1
        numbers = iter(thrown[:])
        del thrown[:]
        returned = -1
        for row, end in enumerate(ends):
            if end != RETURNED:
                if end == THREW:
                    thrown.append(next(numbers))
                continue
            returned += 1
            try:
                cells = []
                for form, column in columns:
                    if column[returned] is None:
                        raise LookupError
                    cells.append(normal(form, column[returned]))
            except LookupError:
                ends[row] = THREW
                thrown.append(names.setdefault("None", len(names)))
                continue
            except Exception:
                ends[row] = BAD
                continue
            for cell, column in zip(cells, kept):
                column.append(cell)
        return [packed(form, column) for (form, _), column in zip(columns, kept)]


def ending(error):
    """How a call ended that did not return, and the name of what it raised."""
    if isinstance(error, OutOfFuel):
        return FUEL, None
    if isinstance(error, Stuck):
        return HUNG, None
    if isinstance(error, MemoryError):
        return MEMORY, None
    if isinstance(error, RecursionError):
        return STACK, None
    if isinstance(error, SystemExit):
        return EXITED, None
    kind = type(error)
    module = kind.__module__
    return THREW, kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def threads():
    import _thread

    return _thread._count()
