package cpu

import "syscall"

// Numbers of IsProcessorFeaturePresent, of winnt.h.
const (
	featureDotProduct = 43
	featureI8MM       = 66
	featureBF16       = 68
)

// system asks IsProcessorFeaturePresent. Versions that do not know a feature say that it is not there.
func (f *Features) system() {
	present := syscall.NewLazyDLL("kernel32.dll").NewProc("IsProcessorFeaturePresent")
	has := func(n uintptr) bool {
		v, _, _ := present.Call(n)
		return v != 0
	}
	f.DotProduct, f.I8MM, f.BF16 = has(featureDotProduct), has(featureI8MM), has(featureBF16)
}
