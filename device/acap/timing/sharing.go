package timing

import "math"

// flows is streams between memory and array that are alike. Bytes are those that
// the memory spends on them: more than are moved where their runs are short, less
// where a staging memory serves some again.
type flows struct {
	streams float64
	bytes   float64 // of one stream
	most    float64 // bytes per second that the channels of one stream take
	write   bool
	rate    float64 // of one stream, bytes per second
}

// together returns the seconds until all flows have moved their bytes when they
// begin at once and share the memory as package event has it: by max-min fairness
// under its limits for reads, writes and both, and those of channels. Flows that
// are done leave their part to the others; where these cannot take it, the memory
// idles. It uses up the bytes of list.
func (o *Model) together(list []flows) float64 {
	if t, ok := o.apart(list); ok {
		return t
	}
	var seconds float64
	for range list {
		o.fair(list)
		first := math.Inf(1)
		for i := range list {
			if f := &list[i]; f.bytes > 0 && f.rate > 0 {
				first = min(first, f.bytes/f.rate)
			}
		}
		if math.IsInf(first, 1) {
			break
		}
		seconds += first
		for i := range list {
			f := &list[i]
			if f.bytes -= f.rate * first; f.bytes <= 1e-9*f.rate*first {
				f.bytes = 0
			}
		}
	}
	return seconds
}

// apart returns the seconds of flows of which each could use the memory fully by
// itself, so that it never idles, if reads and writes do not hinder each other.
func (o *Model) apart(list []flows) (seconds float64, ok bool) {
	d := &o.machine.DDR
	var read, write float64
	for i := range list {
		f := &list[i]
		bytes := f.bytes * f.streams
		if bytes == 0 {
			continue
		}
		if f.write {
			write += bytes
			ok = f.most*f.streams >= d.Write.Value
		} else {
			read += bytes
			ok = f.most*f.streams >= d.Read.Value
		}
		if !ok {
			return 0, false
		}
	}
	if read > 0 && write > 0 && d.Read.Value+d.Write.Value > d.Total.Value*(1+1e-9) {
		return 0, false
	}
	return max(read/d.Read.Value, write/d.Write.Value), true
}

// fair sets the rates of the flows that have bytes left: all rise together until
// a limit holds some.
func (o *Model) fair(list []flows) {
	d := &o.machine.DDR
	read, write, total := d.Read.Value, d.Write.Value, d.Total.Value
	var fixed [4]bool
	for i := range list {
		list[i].rate = 0
		fixed[i] = list[i].bytes <= 0 || list[i].streams <= 0
	}
	for range list {
		var readers, writers, level float64
		for i := range list {
			if !fixed[i] && list[i].write {
				writers += list[i].streams
			} else if !fixed[i] {
				readers += list[i].streams
			}
		}
		if readers+writers == 0 {
			return
		}
		level = total / (readers + writers)
		if readers > 0 {
			level = min(level, read/readers)
		}
		if writers > 0 {
			level = min(level, write/writers)
		}
		lowest := level
		for i := range list {
			if !fixed[i] {
				lowest = min(lowest, list[i].most)
			}
		}
		// What a channel holds first stays; else the limit that gives the level.
		for i := range list {
			f := &list[i]
			if fixed[i] {
				continue
			}
			held := f.most <= lowest
			if lowest == level {
				held = held || total/(readers+writers) <= level ||
					f.write && write/writers <= level || !f.write && read/readers <= level
			}
			if !held {
				continue
			}
			fixed[i], f.rate = true, lowest
			total -= lowest * f.streams
			if f.write {
				write -= lowest * f.streams
			} else {
				read -= lowest * f.streams
			}
		}
	}
}
