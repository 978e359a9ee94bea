package device

import "sync/atomic"

// Slot holds what another package keeps with a device for as long as the device lives.
type Slot struct{ v atomic.Pointer[any] }

// Load returns what is held, or nil.
func (s *Slot) Load() any {
	if p := s.v.Load(); p != nil {
		return *p
	}
	return nil
}

// Put holds a value, unless something is held already; then it returns false.
func (s *Slot) Put(v any) bool { return s.v.CompareAndSwap(nil, &v) }

// Holder is a device with a place for its runtime, which then goes with it.
type Holder interface {
	Device
	Held() *Slot
}
