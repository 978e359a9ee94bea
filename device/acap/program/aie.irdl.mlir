// The operations of the aie dialect of mlir-aie 1.4 that are in a lowered device, for
// mlir-opt -irdl-file: their operands, attributes and types. Lists of values are in the generic form, which LLVM 19 and later read.
irdl.dialect @aie {
  irdl.operation @device {
    %device_ = irdl.base "#builtin.string"
    irdl.attributes {"device" = %device_}
    %body = irdl.region with size 1
    "irdl.regions"(%body) {names = ["body"]} : (!irdl.region) -> ()
  }
  irdl.operation @tile {
    %col_ = irdl.base "#builtin.integer"
    %row_ = irdl.base "#builtin.integer"
    irdl.attributes {"col" = %col_, "row" = %row_}
    %index = irdl.is index
    "irdl.results"(%index) {names = ["result0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
  }
  irdl.operation @buffer {
    %address_ = irdl.base "#builtin.integer"
    %mem_bank_ = irdl.base "#builtin.integer"
    %sym_name_ = irdl.base "#builtin.string"
    irdl.attributes {"address" = %address_, "mem_bank" = %mem_bank_, "sym_name" = %sym_name_}
    %index = irdl.is index
    %memory = irdl.base "!builtin.memref"
    "irdl.operands"(%index) {names = ["operand0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
    "irdl.results"(%memory) {names = ["result0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
  }
  irdl.operation @lock {
    %lockid_ = irdl.base "#builtin.integer"
    %init_ = irdl.base "#builtin.integer"
    %sym_name_ = irdl.base "#builtin.string"
    irdl.attributes {"lockID" = %lockid_, "init" = %init_, "sym_name" = %sym_name_}
    %index = irdl.is index
    "irdl.operands"(%index) {names = ["operand0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
    "irdl.results"(%index) {names = ["result0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
  }
  irdl.operation @use_lock {
    %action_ = irdl.base "#builtin.integer"
    %value_ = irdl.base "#builtin.integer"
    irdl.attributes {"action" = %action_, "value" = %value_}
    %index = irdl.is index
    "irdl.operands"(%index) {names = ["operand0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
  }
  irdl.operation @flow {
    %source_bundle_ = irdl.base "#builtin.integer"
    %source_channel_ = irdl.base "#builtin.integer"
    %dest_bundle_ = irdl.base "#builtin.integer"
    %dest_channel_ = irdl.base "#builtin.integer"
    irdl.attributes {"source_bundle" = %source_bundle_, "source_channel" = %source_channel_, "dest_bundle" = %dest_bundle_, "dest_channel" = %dest_channel_}
    %index = irdl.is index
    "irdl.operands"(%index, %index) {names = ["operand0", "operand1"], variadicity = #irdl<variadicity_array[single, single]>} : (!irdl.attribute, !irdl.attribute) -> ()
  }
  irdl.operation @cascade_flow {
    %index = irdl.is index
    "irdl.operands"(%index, %index) {names = ["operand0", "operand1"], variadicity = #irdl<variadicity_array[single, single]>} : (!irdl.attribute, !irdl.attribute) -> ()
  }
  irdl.operation @dma_bd {
    %offset_ = irdl.base "#builtin.integer"
    %len_ = irdl.base "#builtin.integer"
    %bd_id_ = irdl.base "#builtin.integer"
    %dimensions_ = irdl.base "#builtin.dense_array"
    irdl.attributes {"offset" = %offset_, "len" = %len_, "bd_id" = %bd_id_, "dimensions" = %dimensions_}
    %memory = irdl.base "!builtin.memref"
    "irdl.operands"(%memory) {names = ["operand0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
  }
  irdl.operation @mem {
    %index = irdl.is index
    "irdl.operands"(%index) {names = ["operand0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
    "irdl.results"(%index) {names = ["result0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
    %body = irdl.region
    "irdl.regions"(%body) {names = ["body"]} : (!irdl.region) -> ()
  }
  irdl.operation @memtile_dma {
    %index = irdl.is index
    "irdl.operands"(%index) {names = ["operand0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
    "irdl.results"(%index) {names = ["result0"], variadicity = #irdl<variadicity_array[single]>} : (!irdl.attribute) -> ()
    %body = irdl.region
    "irdl.regions"(%body) {names = ["body"]} : (!irdl.region) -> ()
  }
}
