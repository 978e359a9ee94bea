package event

// Activity is the kind of an interval.
type Activity uint8

// The activities.
const (
	Call     Activity = iota // a core computes
	Stall                    // a core waits
	Transfer                 // a channel sends to its sinks
	Repeat                   // everything goes on as before: periods that were skipped
)

// Interval is a stretch of time on one track.
type Interval struct {
	Start, End float64 // cycles since the first task
	Activity   Activity
	Core       int    // index in Program.Cores, of calls and stalls
	Channel    int    // index in Program.DMAs, of transfers: the source
	Name       string // the kernel, or what a stall waits for
	Bytes      int64
	Periods    int64 // of Repeat
}

// record keeps an interval as long as there is space.
func (e *engine) record(i Interval) {
	if i.Start == i.End || e.options.Intervals == 0 {
		return
	}
	if len(e.trace) >= e.options.Intervals {
		e.truncated = true
		return
	}
	e.trace = append(e.trace, i)
}

func (e *engine) interval(start int64, a Activity, who int, bytes int64) {
	if e.options.Intervals == 0 {
		return
	}
	i := Interval{Start: float64(start) / ticks, End: float64(e.now) / ticks, Activity: a,
		Bytes: bytes}
	if a == Call {
		i.Core, i.Name = who, e.cores[who].code[e.cores[who].pc].call.Kernel
	} else {
		i.Channel = who
	}
	e.record(i)
}

var stallNames = [causes]string{causeInput: "input", causeOutput: "output", causeCascade: "cascade"}

// waited records that core i has waited.
func (e *engine) waited(i, cause int) {
	if e.options.Intervals > 0 {
		e.record(Interval{Start: float64(e.cores[i].since) / ticks, End: float64(e.now) / ticks,
			Activity: Stall, Core: i, Name: stallNames[cause]})
	}
}

func (e *engine) skippedInterval(dt, n int64) {
	e.record(Interval{Start: float64(e.now) / ticks, End: float64(e.now+dt) / ticks,
		Activity: Repeat, Periods: n})
}
