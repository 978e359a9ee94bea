package kernel

import "sync"

// ArgsPool has blocks of arguments for code that runs other code. The zero value is empty.
type ArgsPool struct{ blocks sync.Pool }

// Get returns a block without operands.
func (p *ArgsPool) Get() *Args {
	if own, ok := p.blocks.Get().(*Args); ok {
		return own
	}
	return new(Args)
}

// Put keeps a block for later runs, without its operands. A fault that the block notes is noted in args, the arguments of
// the code that took the block.
func (p *ArgsPool) Put(own, args *Args) {
	args.Fault |= own.Fault
	clear(own.Ptr)
	*own = Args{Ptr: own.Ptr[:0]}
	p.blocks.Put(own)
}
