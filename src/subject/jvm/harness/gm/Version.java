package gm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;

/**
 * A version of the code under test: a loader of its own, so that its static fields are its own.
 *
 * What is not part of the JDK is defined here, even where the parent has a class of that name.
 */
final class Version extends ClassLoader {
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    private final Library library;
    /** Classes that only this version has. */
    private final HashMap<String, byte[]> own;

    /** How many classes were defined. */
    int defined;
    /** Those that the present call was the first to need. */
    private final ArrayList<String> recent = new ArrayList<>();
    private Method method;
    private MethodHandle handle;
    Column[] inputs;
    Column[] outputs;
    /** For each output, the parameter that is it after the call; -1 for the result. */
    int[] sources;

    Version(Library library, HashMap<String, byte[]> own) {
        super(PLATFORM);
        this.library = library;
        this.own = own;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.")) {
            return PLATFORM.loadClass(name);
        }
        if (name.equals("gm.Rt")) {
            return Rt.class;
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found != null) {
                return found;
            }
            byte[] bytes = own.get(name);
            if (bytes == null) {
                bytes = library.find(name);
            }
            if (bytes == null) {
                return PLATFORM.loadClass(name);
            }
            found = defineClass(name, bytes, 0, bytes.length);
            defined++;
            recent.add(name);
            Rt.grant();
            return found;
        }
    }

    /** A call begins. */
    void begin() {
        if (!recent.isEmpty()) {
            recent.clear();
        }
    }

    /**
     * Whether the classes that the present call needed first can still be used, now that it was stopped. One that was
     * stopped in its initialiser cannot, ever. Others are initialised by the question, if they were not yet.
     */
    boolean isSound() {
        try {
            for (String name : recent.toArray(new String[0])) {
                Class.forName(name, true, this);
            }
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    /** Finds the method, and runs the initialiser of its class. */
    void bind(String name, String method, String descriptor) throws Throwable {
        Class<?> type = Class.forName(name, false, this);
        try {
            for (Method candidate : type.getDeclaredMethods()) {
                if (candidate.getName().equals(method) && descriptor(candidate).equals(descriptor)) {
                    candidate.setAccessible(true);
                    this.method = candidate;
                }
            }
        } catch (NoClassDefFoundError e) {
            // Other methods of the class speak of classes that are not there. A handle looks at this one only, and is
            // slower to set up.
            MethodHandle found = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                .findStatic(type, method, MethodType.fromMethodDescriptorString(descriptor, this));
            int count = found.type().parameterCount();
            handle = found.asFixedArity().asSpreader(Object[].class, count)
                .asType(MethodType.methodType(Object.class, Object[].class));
        }
        if (this.method == null && handle == null) {
            throw new NoSuchMethodException(name + "#" + method + descriptor);
        }
        Class.forName(name, true, this);
    }

    /** Calls the method. What it throws may be wrapped. */
    Object call(Object[] arguments) throws Throwable {
        return method != null ? method.invoke(null, arguments) : (Object) handle.invokeExact(arguments);
    }

    private static String descriptor(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(parameter.descriptorString());
        }
        return text.append(')').append(method.getReturnType().descriptorString()).toString();
    }
}
