"""The functions that exported tests in Python bring along: operators of relations that Python does not have, and what
follow-ups need.

Read as text by `export/helpers.rs`: a line `# [name: called]` begins a function and names the ones that it calls. Only what a
test needs is written, in this order.
"""

import ctypes
import math

ABS = 0.0
REL = 0.0


# [num]
def num(x):
    """A number as a float; what is too large for one is infinite."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


# [eq]
def eq(a, b):
    """The same number, both NaN, or both finite and within the tolerance."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    finite = math.isfinite(a) and math.isfinite(b)
    return a == b or (finite and abs(a - b) <= ABS + REL * max(abs(a), abs(b)))


# [eq_seq: eq]
def eq_seq(a, b):
    """As long as each other, and equal element by element."""
    return len(a) == len(b) and all(eq(x, y) for x, y in zip(a, b))


# [lt: eq]
def lt(a, b):
    """Less, and not within the tolerance."""
    return a < b and not eq(a, b)


# [gt: lt]
def gt(a, b):
    """Greater, and not within the tolerance."""
    return lt(b, a)


# [le: eq]
def le(a, b):
    """Less, or equal within the tolerance."""
    return a < b or eq(a, b)


# [ge: le]
def ge(a, b):
    """Greater, or equal within the tolerance."""
    return le(b, a)


# [div: eq]
def div(a, b):
    """The quotient; 1 where the divisor equals 0."""
    return 1.0 if eq(b, 0.0) else a / b


# [length]
def length(s):
    """The number of elements."""
    return float(len(s))


# [sum] From Python 3.12 on, `sum` of floats is exacter than one addition after the other.
def total(s):
    """The elements added from left to right."""
    result = 0.0
    for element in s:
        result += element
    return result


# [flip]
def flip(s):
    """The elements in reverse order."""
    return s[::-1]


# [index]
def index(n):
    """A number cut to a 64-bit integer; NaN gives 0, and what is too large the nearest."""
    if math.isnan(n):
        return 0
    return int(max(-(2.0**63), n)) if n < 2.0**63 else 2**63 - 1


# [remove: index]
def remove(s, n):
    """Without the element at an index; negative ones count from the end, others change nothing."""
    i = index(n)
    at = i + len(s) if i < 0 else i
    return s[:at] + s[at + 1 :] if 0 <= at < len(s) else s


# [truncate: index]
def truncate(s, n):
    """The first n elements; if n is negative, all but the first -n."""
    i = index(n)
    return s[-i:] if i < 0 else s[:i]


# [to_text: index]
def to_text(n):
    """The decimal digits of a number, cut to a 64-bit integer, as a sequence of characters."""
    return [float(ord(c)) for c in str(index(n))]


# [smaller]
def smaller(a, b):
    """The smaller number; NaN if either is NaN."""
    return a if a < b or math.isnan(a) else b


# [larger]
def larger(a, b):
    """The larger number; NaN if either is NaN."""
    return a if a > b or math.isnan(a) else b


# [modulo: eq]
def modulo(a, b):
    """What is left of the first number after multiples of the second; 0 where that equals 0."""
    return 0.0 if eq(b, 0.0) else a % b


# [floor]
def floor(a):
    """The largest integer that is not more."""
    return float(math.floor(a)) if math.isfinite(a) else a


# [at: index]
def at(s, n):
    """The element at an index; negative ones count from the end; 0 where there is none."""
    i = index(n)
    return s[i] if -len(s) <= i < len(s) else 0.0


# [first: at]
def first(s):
    """The first element; 0 if there is none."""
    return at(s, 0.0)


# [last: at]
def last(s):
    """The last element; 0 if there is none."""
    return at(s, -1.0)


# [sort]
def in_order(s):
    """The elements in ascending order, NaN last."""
    return sorted(x for x in s if x == x) + [x for x in s if x != x]


# [least: sort, at]
def least(s):
    """The first element in ascending order; 0 if there is none."""
    return at(in_order(s), 0.0)


# [greatest: sort, at]
def greatest(s):
    """The last element in ascending order; 0 if there is none."""
    return at(in_order(s), -1.0)


# [join]
def join(s, t):
    """The elements of both, one after the other."""
    return s + t


# [upper_case]
def upper_case(s):
    """With capitals for the small letters of ASCII."""
    return [c - 32.0 if 97 <= c <= 122 and c == int(c) else c for c in s]


# [lower_case]
def lower_case(s):
    """With small letters for the capitals of ASCII."""
    return [c + 32.0 if 65 <= c <= 90 and c == int(c) else c for c in s]


# [count: eq]
def count(s, n):
    """How many elements equal a number."""
    return float(len([x for x in s if eq(x, n)]))


# [starts_with: eq_seq]
def starts_with(s, t):
    """Whether the first elements are those of another sequence."""
    return eq_seq(s[: len(t)], t)


# [ends_with: eq_seq]
def ends_with(s, t):
    """Whether the last elements are those of another sequence."""
    return len(t) <= len(s) and eq_seq(s[len(s) - len(t) :], t)


# [index_of: starts_with]
def index_of(s, t):
    """The first place from which on a sequence has the elements of another; -1 if there is none."""
    places = (i for i in range(len(s) + 1) if starts_with(s[i:], t))
    return float(next(places, -1))


# [contains: index_of]
def contains(s, t):
    """Whether a sequence has the elements of another somewhere, one after the other."""
    return index_of(s, t) >= 0


# [same_elements: sort, eq_seq]
def same_elements(s, t):
    """Whether two sequences are equal in ascending order."""
    return eq_seq(in_order(s), in_order(t))


# [is_sorted: lt]
def is_sorted(s):
    """Whether no element is less than the one before it; NaN is more than every number."""
    return all(b != b or (a == a and not lt(b, a)) for a, b in zip(s, s[1:]))


# [whole]
def whole(x):
    """A number that is an integer, as one."""
    return int(x) if math.isfinite(x) and x == int(x) else None


# [character: whole]
def character(code):
    """The character with a code."""
    code = whole(code)
    is_one = code is not None and 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_one else None


# [single]
def single(x):
    """A number that is one of single precision."""
    return x if math.isnan(x) or ctypes.c_float(x).value == x else None


# [ascending]
def ascending(s):
    """Numbers in ascending order: -0 before 0, NaN last."""
    return sorted(s, key=lambda x: (1, 0.0, 0.0) if math.isnan(x) else (0, x, math.copysign(1.0, x)))


# [rotated]
def rotated(s, by):
    """The first elements at the end, or the last ones at the front if the number is negative."""
    at = by % len(s) if s else 0
    return s[at:] + s[:at]


# [swapped]
def swapped(s, i, j):
    """With two elements exchanged, if both exist; negative indices count from the end."""
    size = len(s)
    if not (-size <= i < size and -size <= j < size):
        return s
    elements = list(s)
    elements[i], elements[j] = elements[j], elements[i]
    return "".join(elements) if isinstance(s, str) else elements


# [replaced]
def replaced(s, i, values):
    """With another element at an index; negative ones count from the end."""
    at = i + len(s) if i < 0 else i
    return s[:at] + values + s[at + 1 :]


# [swap_case]
def swap_case(c):
    """A character in upper case or, if that is the character itself, in lower case."""
    return c.lower() if c.upper() == c else c.upper()
