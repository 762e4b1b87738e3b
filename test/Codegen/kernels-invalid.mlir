// RUN: ew-opt %s --ew-schedule --ew-to-gpu -split-input-file -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
func.func @captures(%x: tensor<?xf32>, %s: f32, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @below {{a kernel's body may use only its arguments and constants}}
    %0 = ew.mul %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func private @g(f32) -> f32
func.func @calls(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: f32, %o: f32):
    // expected-error @below {{'func.call' is not an elementwise function}}
    %0 = func.call @g(%a) : (f32) -> f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Which of them kept the others from becoming ew ops, is not known here.

#id = affine_map<(d0) -> (d0)>
func.func private @g(f32) -> f32
func.func @several(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = ew.neg %a : f32
    // expected-error @below {{'complex.create', 'func.call', 'complex.re' are not elementwise functions of ew: a kernel cannot compute them on vectors}}
    %0 = complex.create %a, %n : complex<f32>
    %1 = func.call @g(%n) : (f32) -> f32
    %2 = func.call @g(%1) : (f32) -> f32
    %3 = complex.re %0 : complex<f32>
    %4 = ew.add %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @index(%x: tensor<?xindex>, %e: tensor<?xindex>) -> tensor<?xindex> {
  // expected-error @below {{takes 'index' as operand 0, which no kernel can read or write}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xindex>) outs(%e : tensor<?xindex>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: index, %o: index):
    linalg.yield %a : index
  } -> tensor<?xindex>
  return %r : tensor<?xindex>
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @wide(%x: tensor<?xf32>, %y: f80, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{takes 'f80' as operand 1, which no kernel can read or write}}
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, f80) outs(%e : tensor<?xf32>) attrs = {ew.ops = "copy"} {
  ^bb0(%a: f32, %b: f80, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
