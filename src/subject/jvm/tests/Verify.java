import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Links the classes that come on standard input, and prints what the verifier says of those it refuses. */
public final class Verify {
    private static final Map<String, byte[]> defined = new HashMap<>();
    private static int linked;

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        for (int what = in.read(); what < 9; what = in.read()) {
            String name = in.readUTF().replace('/', '.');
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            switch (what) {
                case 0 -> defined.put(name, bytes);
                case 1 -> link(new Loader(Map.of(name, bytes)), name);
                case 2 -> {
                    Loader loader = new Loader(Map.of());
                    defined.keySet().stream().sorted().forEach(one -> link(loader, one));
                }
                case 3 -> defined.clear();
                default -> call(new Loader(Map.of()), name);
            }
        }
        System.out.println(linked);
    }

    private static void link(Loader loader, String name) {
        linked++;
        try {
            // Asking for constructors links a class and initialises nothing.
            Class.forName(name, false, loader).getDeclaredConstructors();
        } catch (NoClassDefFoundError | ClassNotFoundException error) {
            // An optional dependency of the library that is not here: no verdict.
            linked--;
        } catch (LinkageError error) {
            System.out.println(name + ": " + error.toString().replaceAll("\\s+", " "));
        }
    }

    /** Calls a static method without arguments, named behind the class, and prints what it returns and what was counted. */
    private static void call(Loader loader, String name) {
        int dot = name.lastIndexOf('.');
        try {
            gm.Rt.ticks = gm.Rt.allocated = 0;
            gm.Rt.hits.clear();
            Class<?> target = Class.forName(name.substring(0, dot), true, loader);
            Object result = target.getMethod(name.substring(dot + 1)).invoke(null);
            System.out.println(result.toString().replace('\n', ';'));
            System.out.println(gm.Rt.ticks + " ticks, " + gm.Rt.allocated + " elements, " + gm.Rt.hits);
        } catch (ReflectiveOperationException | LinkageError error) {
            System.out.println(name + ": " + error + " " + error.getCause());
        }
    }

    /** Knows the classes given to it, then those defined so far, then those of the JDK and gm.Rt. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> own;

        Loader(Map<String, byte[]> own) {
            this.own = own;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                byte[] bytes = own.getOrDefault(name, defined.get(name));
                if (known != null || bytes == null) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
