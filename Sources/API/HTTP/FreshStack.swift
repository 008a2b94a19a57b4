/// Runs `body` in a task of its own, on the connection's thread.
///
/// A task keeps the memory of its deepest stack until it ends, and a connection's task lives as long as the connection.
/// So deep calls that end much earlier run in another task.
func apart<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task(executorPreference: LoopExecutor.current, operation: body)
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
}
