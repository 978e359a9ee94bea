module {
  ml_program.global private mutable @x(dense<4> : tensor<4xi32>) : tensor<4xi32>
  ml_program.global public @y(1 : i32) : i32
  ml_program.func @f(%arg0: i32) -> i32 {
    %x = ml_program.global_load @x : tensor<4xi32>
    ml_program.global_store @x = %x : tensor<4xi32>
    %0 = ml_program.token
    ml_program.return %arg0 : i32
  }
  ml_program.subgraph private @s(%arg0: i32) -> i32 {
    ml_program.output %arg0 : i32
  }
  ml_program.global private mutable @state : tensor<?xi32>
  ml_program.subgraph @ordered(%arg0: index) -> (index, !ml_program.token) {
    %result, %produceToken = ml_program.global_load_graph @state ordering(() -> !ml_program.token) : tensor<?xi32>
    %0 = ml_program.global_store_graph @state = %result ordering(%produceToken, %produceToken -> !ml_program.token) : tensor<?xi32>
    ml_program.output %arg0, %0 : index, !ml_program.token
  }
}
