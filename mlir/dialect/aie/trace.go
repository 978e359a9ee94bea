package aie

import "github.com/go-acap/acap/mlir/assembly"

// traces are the operations that say which events of a tile are recorded, and where the record goes.
var traces = []assembly.Op{
	{Name: "aie.trace", Operands: "tile: index", Attrs: "sym_name: name, buffer_size: i32?", Regions: "body=aie.end",
		Format: "$sym_name `(` $tile `)` (`buffer_size` `=` $buffer_size^)? $body attr-dict", Parents: []string{"aie.device"}},
	traced("mode", "mode: str", "$mode"),
	traced("event", "event: param(aie.trace_event), label: str?", "$event (`label` `=` $label^)?"),
	traced("packet", "id: i32(1..31), type: enum(core|mem|shimtile|memtile)", "`id` `=` $id `type` `=` $type"),
	traced("port", "slot: i32(0..7), port: word(aie.bundle), channel: i32(0..), direction: enum(S2MM|MM2S)?, master: bool?",
		"`<` $slot `>` `port` `=` $port `channel` `=` $channel (`direction` `=` $direction^)? (`master` `=` $master^)?"),
	traced("start", switching, switched), traced("stop", switching, switched),
	traced("combo_event", "slot: i32(0..2), eventA: param(aie.trace_event), logic: enum(AND|AND_NOT|OR|OR_NOT), eventB: param(aie.trace_event)",
		"`<` $slot `>` $eventA $logic $eventB"),
	traced("edge_event", "slot: i32(0..1), event: param(aie.trace_event), trigger: enum(RISING|FALLING|BOTH)",
		"`<` $slot `>` `event` `=` $event `trigger` `=` $trigger"),
	{Name: "aie.trace.config", Operands: "tile: index", Attrs: "sym_name: name, packet_type: enum(core|mem|shimtile|memtile)?",
		Regions: "body=aie.end", Format: "$sym_name `(` $tile `)` (`packet_type` `=` $packet_type^)? $body attr-dict"},
	{Name: "aie.trace.reg", Attrs: "reg_name: str, field: str?, value: any, mask: i32?, comment: str?", Parents: []string{"aie.trace.config"},
		Format: "`register` `=` $reg_name (`field` `=` $field^)? `value` `=` $value (`mask` `=` $mask^)? (`comment` `=` $comment^)? attr-dict"},
	{Name: "aie.trace.start_config", Attrs: "trace_config: sym", Format: "$trace_config attr-dict"},
	{Name: "aie.trace.host_config", Attrs: "buffer_size: i32(1..), arg_idx: i32?, routing: word(aie.routing)?, egress_shim_col: i32?",
		Format: "(`buffer_size` `=` $buffer_size^)? (`arg_idx` `=` $arg_idx^)? (`routing` `=` $routing^)? " +
			"(`egress_shim_col` `=` $egress_shim_col^)? attr-dict"},
}

const (
	switching = "broadcast: i32?, event: param(aie.trace_event)?"
	switched  = "(`broadcast` `=` $broadcast^)? (`event` `=` $event^)?"
)

// traced is an operation inside a trace.
func traced(name, attrs, format string) assembly.Op {
	return assembly.Op{Name: "aie.trace." + name, Attrs: attrs, Format: format + " attr-dict", Parents: []string{"aie.trace"}}
}
