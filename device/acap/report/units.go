package report

import "fmt"

// Duration writes seconds with a fitting unit.
func Duration(s float64) string {
	switch {
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g us", s*1e6)
}

// Bytes writes a size with a binary unit.
func Bytes(n int64) string {
	v, unit := float64(n), 0
	for v >= 1000 && unit < 4 {
		v /= 1024
		unit++
	}
	return fmt.Sprintf("%.3g %s", v, [...]string{"B", "KiB", "MiB", "GiB", "TiB"}[unit])
}

// Rate writes operations per second.
func Rate(ops, seconds float64) string {
	if seconds <= 0 {
		return "0 GOPS"
	}
	v := ops / seconds / 1e9
	if v >= 1000 {
		return fmt.Sprintf("%.3g TOPS", v/1000)
	}
	return fmt.Sprintf("%.3g GOPS", v)
}

// Energy writes joules.
func Energy(j float64) string {
	switch {
	case j >= 1:
		return fmt.Sprintf("%.3g J", j)
	case j >= 1e-3:
		return fmt.Sprintf("%.3g mJ", j*1e3)
	}
	return fmt.Sprintf("%.3g uJ", j*1e6)
}

func percent(v float64) string {
	switch {
	case v <= 0:
		return "0%"
	case v < 0.0005:
		return "<0.1%"
	case v < 0.0995:
		return fmt.Sprintf("%.1f%%", 100*v)
	}
	return fmt.Sprintf("%.0f%%", 100*v)
}
