func.func @f(%a: i32) {
  // expected-error@+1 {{works on floats, not on i32}}
  %0 = arith.addf %a, %a : i32
  return
}
// -----
func.func @f(%a: f32, %b: si32) {
  // expected-error@+1 {{works on signless integers, not on f32}}
  %0 = arith.addi %a, %a : f32
  // expected-error@+1 {{works on signless integers, not on si32}}
  %1 = arith.addi %b, %b : si32
  return
}
// -----
func.func @f(%a: f32, %b: f64) {
  // expected-error@+1 {{%b is of type f64, not f32}}
  %0 = arith.addf %a, %b : f32
  return
}
// -----
func.func @f(%a: f32) {
  // expected-error@+1 {{unknown predicate "lt"}}
  %0 = arith.cmpf lt, %a, %a : f32
  return
}
// -----
func.func @f(%a: f32, %h: f16) {
  // expected-error@+1 {{cannot convert f32 to f16}}
  %0 = arith.extf %a : f32 to f16
  // expected-error@+1 {{cannot convert f16 to f32}}
  %1 = arith.truncf %h : f16 to f32
  // expected-error@+1 {{works on signless integers, not on f32}}
  %2 = arith.extsi %a : f32 to i64
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{cannot change the shape of tensor<4xf32> to tensor<5xf64>}}
  %0 = arith.extf %a : tensor<4xf32> to tensor<5xf64>
  return
}
// -----
// expected-error@+1 {{needs a value of its result type i64}}
%0 = "arith.constant"() {value = 1 : i32} : () -> i64
// -----
// expected-error@+1 {{integer out of range for i8}}
%0 = arith.constant 256 : i8
// -----
// expected-error@+1 {{a value of type f32 needs a decimal point}}
%0 = arith.constant 1 : f32
// -----
// expected-error@+1 {{a value of type i32 cannot have a decimal point}}
%0 = arith.constant 1.5 : i32
// -----
// expected-error@+1 {{the bits do not fit type f32}}
%0 = arith.constant 0x1FFFFFFFF : f32
// -----
// expected-error@+1 {{2 elements in dimension 0, expected 3}}
%0 = arith.constant dense<[1, 2]> : tensor<3xi32>
// -----
// expected-error@+1 {{more than 2 elements in dimension 0}}
%0 = arith.constant dense<[1, 2, 3]> : tensor<2xi32>
// -----
// expected-error@+1 {{more nested lists than dimensions}}
%0 = arith.constant dense<[[1]]> : tensor<1xi32>
// -----
// expected-error@+1 {{does not hold 2 elements of f32}}
%0 = arith.constant dense<"0x0000000000"> : tensor<2xf32>
// -----
// expected-error@+1 {{expected a string of hex digits}}
%0 = arith.constant dense<"0x0g000000"> : tensor<1xf32>
// -----
// expected-error@+1 {{need a static tensor or vector type, not tensor<?xf32>}}
%0 = arith.constant dense<1.0> : tensor<?xf32>
// -----
func.func @f(%c: i32, %a: f32) {
  // expected-error@+1 {{the condition must be i1 or i1, not i32}}
  %0 = "arith.select"(%c, %a, %a) : (i32, f32, f32) -> f32
  // expected-error@+1 {{has 2 operands, not 3}}
  %1 = "arith.select"(%c, %a) : (i32, f32) -> f32
  // expected-error@+1 {{needs operands of one type}}
  %2 = "arith.addf"(%c, %a) : (i32, f32) -> f32
  // expected-error@+1 {{gives the type of its operands, f32, not f64}}
  %3 = "arith.addf"(%a, %a) : (f32, f32) -> f64
  // expected-error@+1 {{needs a predicate}}
  %4 = "arith.cmpf"(%a, %a) {predicate = 16 : i64} : (f32, f32) -> i1
  return
}
// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{gives i32 and i1, not i32 and i32}}
  %0, %1 = arith.addui_extended %x, %x : i32, i32
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{elements of vector<[2]xi32> are all the same}}
  %0 = arith.constant dense<[0, 1]> : vector<[2]xi32>
  return
}
// -----
func.func @f(%a: f32) {
  // expected-error@+1 {{fastmath has no flag "quick"; there are none, reassoc}}
  %0 = arith.addf %a, %a fastmath<nnan,quick> : f32
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{overflow has no flag "fast"}}
  %0 = arith.addi %a, %a overflow<fast> : i32
  return
}
// -----
func.func @f(%a: f32) {
  // expected-error@+1 {{fastmath has no flag ""}}
  %0 = "arith.addf"(%a, %a) {fastmath = #arith.fastmath<>} : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: f32) {
  // expected-error@+1 {{fastmath has no flag "quick"}}
  %0 = math.exp %a fastmath<quick> : f32
  return
}
// -----
func.func @f(%a: complex<f32>) {
  // expected-error@+1 {{fastmath has no flag "quick"}}
  %0 = complex.add %a, %a fastmath<quick> : complex<f32>
  return
}
// -----
func.func @f(%a: f32) {
  // expected-error@+1 {{needs #arith.fastmath<...> as its fastmath, not #arith$fastmath<>}}
  %0 = "arith.addf"(%a, %a) {fastmath = #arith$fastmath<>} : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: f32) {
  // expected-error@+1 {{needs #arith.fastmath<...> as its fastmath, not #arith.overflow<nsw>}}
  %0 = "arith.cmpf"(%a, %a) {predicate = 1 : i64, fastmath = #arith.overflow<nsw>} : (f32, f32) -> i1
  return
}
// -----
func.func @f(%a: f64) {
  // expected-error@+1 {{needs #arith.fastmath<...> as its fastmath, not 1}}
  %0 = "arith.truncf"(%a) {fastmath = 1 : i32} : (f64) -> f32
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{needs #arith.overflow<...> as its overflowFlags, not unit}}
  %0 = "arith.addi"(%a, %a) {overflowFlags} : (i32, i32) -> i32
  return
}
// -----
func.func @f(%a: f32) {
  // expected-error@+1 {{needs #arith.fastmath<...> as its fastmath, not "fast"}}
  %0 = "math.exp"(%a) {fastmath = "fast"} : (f32) -> f32
  return
}
