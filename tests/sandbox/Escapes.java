import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** Methods that try to get out; each says whether it did. */
public final class Escapes {
    public static boolean delete(String path) {
        return new File(path).delete();
    }

    public static boolean write(String path) {
        try {
            Files.writeString(Path.of(path), "escaped");
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    public static boolean read(String path) {
        try {
            return Files.readString(Path.of(path)).length() > 0;
        } catch (IOException refused) {
            return false;
        }
    }

    public static boolean list(String path) {
        return new File(path).list() != null;
    }

    public static boolean lock(String path) {
        return new File(path).setReadable(false, false);
    }

    public static boolean listen(String address) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return socket.isBound();
        } catch (IOException refused) {
            return false;
        }
    }

    public static boolean connect(String port) {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), Integer.parseInt(port))) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    public static boolean spawn(String seconds) {
        try {
            new ProcessBuilder("/bin/sleep", seconds).start();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    public static boolean variable(String name) {
        return System.getenv(name) != null;
    }

    /** A mutant without the guard deletes any file. */
    public static boolean tidy(String path) {
        File file = new File(path);
        if (path.endsWith(".tmp")) {
            return file.delete();
        }
        return false;
    }

    /** What a function may do: a temporary file. */
    public static boolean scratch(String text) {
        try {
            Path file = Files.createTempFile("scratch", ".txt");
            Files.writeString(file, text);
            return Files.readString(file).equals(text);
        } catch (IOException refused) {
            return false;
        }
    }
}
