package exec

import (
	"errors"
	"os"
	"sync"

	"github.com/go-acap/acap/base/environment"
)

// ErrRefused is the error of Load where the system lets no process of this kind make memory executable, as SELinux
// without execmem and systemd's MemoryDenyWriteExecute do. It is the same for all code.
var ErrRefused = errors.New("the system refuses executable memory")

// Variable is the environment variable for how code lies in memory: "shared" or "fresh". Shared is memory that is mapped
// twice and that codes divide among each other; fresh gives each code new pages, which emulators such as qemu-user need,
// because they miss what is written to executed code at another address. The default is shared, and fresh where QEMU
// emulates the processor. All code is fresh on other systems than Linux, and on arm64.
const Variable = "ACAP_CODE"

// Setting reports whether code has fresh pages by [Variable]. The error is an [*environment.Error].
var Setting = sync.OnceValues(func() (fresh bool, err error) { return readSetting(os.Getenv(Variable)) })

func readSetting(text string) (fresh bool, err error) {
	switch text {
	case "":
		return emulated(), nil
	case "shared":
		return false, nil
	case "fresh":
		return true, nil
	}
	return false, &environment.Error{Variable: Variable, Value: text, Want: "shared or fresh"}
}
