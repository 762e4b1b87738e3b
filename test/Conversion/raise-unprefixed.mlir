// RUN: ew-opt %s --ew-raise --verify-diagnostics | FileCheck %s
// RUN: ew-opt %s --ew-set-modes --ew-raise --ew-set-modes --ew-raise 2>&1 | FileCheck %s --check-prefix=ONCE

// What is raised is warned of, whichever pass comes first, and once.

// CHECK-LABEL: func @op
func.func @op(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: ew.exp %{{.*}} : tensor<4xf32>
  // ONCE: warning: nothing reads the attribute 'mode'
  // ONCE-NOT: warning: nothing reads the attribute 'mode'
  // expected-warning @+1 {{nothing reads the attribute 'mode'; did you mean 'ew.mode'?}}
  %0 = math.exp %x {mode = "fast"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @body
#id = affine_map<(d0) -> (d0)>
func.func @body(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    // CHECK: ew.sin %{{.*}} : tensor<4xf32>
    // ONCE: warning: nothing reads the attribute 'error_bound'
    // ONCE-NOT: warning: nothing reads
    // expected-warning @+1 {{nothing reads the attribute 'error_bound'; did you mean 'ew.error_bound'?}}
    %0 = math.sin %a {error_bound = 1.0} : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
