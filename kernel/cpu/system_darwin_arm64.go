package cpu

import "syscall"

// system asks sysctl, for the cores of highest performance.
func (f *Features) system() {
	has := func(name string) bool {
		v, err := syscall.SysctlUint32("hw.optional.arm." + name)
		return err == nil && v != 0
	}
	f.DotProduct, f.I8MM, f.BF16 = has("FEAT_DotProd"), has("FEAT_I8MM"), has("FEAT_BF16")
	for name, size := range map[string]*int{"l1dcachesize": &f.L1D, "l2cachesize": &f.L2} {
		if v, err := syscall.SysctlUint32("hw.perflevel0." + name); err == nil && v > 0 {
			*size = int(v)
		}
	}
	f.L3 = f.L2 // the second level is shared by a cluster of cores and is the last one
}
